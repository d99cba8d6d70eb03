"""The clocks of games, pure: how much time a player has, what pauses the clock, and when time runs out.

Nothing here reads the current time: every moment is passed in, time zone aware, and returned in UTC. A turn is stored
as two values, the time left (`bank`) and the moment it started running (`since`); everything else follows from these.
docs/clocks.md has the rules in players' words.
"""
