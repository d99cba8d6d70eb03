// The players of all matches: `node players.js PORT MATCHES TURNS`. For each line of input they play TURNS turns in each
// match, and then write how many moves were made.

const readline = require("node:readline");

const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { LongMarch } = require("./game.js");

const [port, matches, turns] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;

async function seat(number) {
  const clients = ["0", "1"].map((playerID) => {
    const multiplayer = SocketIO({ server });
    return Client({ game: LongMarch, numPlayers: 2, multiplayer, matchID: `match-${number}`, playerID, debug: false });
  });
  for (const client of clients) {
    client.start(); // the first one creates the match
    await reached([client], () => true);
  }
  return clients;
}

/** Wait until both clients show a state of the server that fulfills the condition. */
function reached(clients, condition) {
  const shows = (client) => client.getState()?.isConnected && client.getState().G && condition(client.getState());
  return new Promise((resolve) => {
    const ends = [];
    const check = () => {
      if (!clients.every(shows)) return;
      ends.splice(0).forEach((end) => end());
      setImmediate(resolve);
    };
    for (const client of clients) ends.push(client.subscribe(check)); // it calls at once
    check();
  });
}

/** Make a legal turn of the player whose turn it is, and wait until the opponent sees it. */
async function play(clients) {
  const { G, ctx } = clients[0].getState();
  const player = Number(ctx.currentPlayer);
  const place = ctx.turn % 3;
  const armies = G.regions.map((region) => region.armies[player]);
  const ways = [];
  for (let n = 0; n < G.row[place].moves; n++) {
    const from = armies.findIndex((count, at) => count > 0 && at >= (ctx.turn * 7) % armies.length);
    const start = from < 0 ? armies.findIndex((count) => count > 0) : from;
    const end = start ? start - 1 : 1;
    ways.push([start, end]);
    armies[start] -= 1;
    armies[end] += 1;
  }
  clients[player].moves.march(place, ways);
  await reached(clients, (state) => state.ctx.turn > ctx.turn);
}

(async () => {
  const all = [];
  for (let number = 0; number < matches; number++) all.push(await seat(number));
  for await (const _line of readline.createInterface({ input: process.stdin })) {
    for (let turn = 0; turn < turns; turn++) for (const clients of all) await play(clients);
    console.log(turns * all.length);
  }
  process.exit(0);
})();
