// A game whose turn changes about as much as one of Legends for two: a card of the row is bought, and armies move on a map
// of twenty regions. The order of the deck is hidden. One move is one turn.

const { INVALID_MOVE } = require("boardgame.io/core");

const REGIONS = 20;
const ROW = 6;

exports.LongMarch = {
  name: "long-march",
  setup: ({ ctx, random }) => ({
    deck: random.Shuffle([...Array(60).keys()]).map((id) => ({ id, family: id % 7, moves: 1 + (id % 6) })),
    row: [...Array(ROW).keys()].map((id) => ({ id: 60 + id, family: id, moves: 1 + id })),
    regions: [...Array(REGIONS).keys()].map((id) => ({ id, armies: Array(ctx.numPlayers).fill(2), cities: Array(ctx.numPlayers).fill(0) })),
    players: Array(ctx.numPlayers).fill(null).map(() => ({ coins: 1000, cards: [], points: 0 })),
  }),
  playerView: ({ G }) => ({ ...G, deck: G.deck.length }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    march({ G, ctx, playerID }, place, ways) {
      const player = G.players[playerID];
      const card = G.row[place];
      if (!card || ways.length !== card.moves || player.coins < place) return INVALID_MOVE;
      for (const [from, to] of ways) {
        if (Math.abs(from - to) !== 1 || !G.regions[from]?.armies[playerID] || !G.regions[to]) return INVALID_MOVE;
        G.regions[from].armies[playerID] -= 1;
        G.regions[to].armies[playerID] += 1;
      }
      player.coins -= place;
      player.cards.push(card);
      G.row.splice(place, 1);
      G.row.push(G.deck.length ? G.deck.pop() : { ...card });
      G.players.forEach((one, seat) => {
        one.points = G.regions.filter(({ armies }) => armies[seat] > Math.max(...armies.filter((_, other) => other !== seat))).length;
      });
    },
  },
};
