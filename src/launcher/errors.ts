import { refusals } from "../core/lib/invalid.js"

/** Errors that keep a local network from starting. */
export const localNetworkError = refusals({
  "localnet.other_nodes": "the directory has a network with other nodes: leave --nodes out, or name another directory",
  "localnet.other_upgrades":
    "the directory has a network with other upgrade times: leave --upgrade out, or name another directory",
  "localnet.other_keys": "the keys of a node are not those that the genesis of the network names: put the folder `staking` back",
  "localnet.damaged": "a file of the network is missing or cannot be read: put it back, or name another directory",
  "localnet.bad_directory": "the directory of the network cannot be made, read or written",
  "localnet.bad_binary": "the program does not run, or is not AvalancheGo",
  "localnet.old_avalanchego": "this version of AvalancheGo does not know Helicon: choose older rules, such as --upgrade granite",
  "localnet.node_ended": "a node of the network ended before the network was ready",
  "localnet.not_ready": "the network was not ready in time",
})
