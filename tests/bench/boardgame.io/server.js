// A boardgame.io server with its file store: `node server.js PORT FOLDER`.

const { FlatFile, Server } = require("boardgame.io/server");
const { LongMarch } = require("./game.js");

const [port, folder] = process.argv.slice(2);
Server({ games: [LongMarch], db: new FlatFile({ dir: folder }), origins: ["http://127.0.0.1"] }).run(Number(port));
