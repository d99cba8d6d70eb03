"""The clocks of the tables, pure: what a player has, what stands still, and when time runs out.

Nothing here knows what time it is: every moment is handed in, aware, and handed back in UTC. What a turn needs to be
remembered by is two values, the time left (`bank`) and the moment it began to run from (`since`); all else follows.
The rules in a player's words stand in docs/clocks.md.
"""
