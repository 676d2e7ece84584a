import { NodeProcess } from "./nodeProcess.js"

/** Runs a program as a node of AvalancheGo in a directory, prints its process ID, and continues until it is killed. */
const [dir, ...command] = process.argv.slice(2) as [string, ...string[]]
const node = new NodeProcess({ name: "node1", program: "avalanchego", nodeID: "", dir }, "", command)
console.log(node.pid)
setInterval(() => {}, 60_000)
