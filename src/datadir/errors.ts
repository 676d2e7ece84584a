import { refusals } from "../core/lib/invalid.js"

/** Errors that keep a node, or a command that opens its data, from starting. */
export const nodeError = refusals({
  "node.other_network": "the data belongs to another network",
  "node.other_genesis": "the data belongs to a chain with another genesis",
  "node.other_upgrades":
    "the data was made with another upgrade schedule: leave --upgrade and --upgrade-file out to go on with that schedule, or start with them and an empty --data-dir",
  "node.missed_upgrade": "the chain passed the time of an upgrade with the rules before it: replay the chain again",
  "node.was_joined":
    "the directory holds the chain of a network that was joined: give the flags to join again (--network-id, --bootstrap-ips, --bootstrap-ids), or start a private chain on top of it with --fork DIR and another --data-dir",
  "node.was_followed":
    "the directory holds a copy of a chain that other nodes make: continue the copy with `serac follow URL`, join its network with --bootstrap-ips and --bootstrap-ids, or start a private chain on top of it with --fork DIR and another --data-dir",
  "node.was_private":
    "the directory holds a private chain, a fork, or a copy of one, which belongs to no network: leave out the flags to join or follow, or name another --data-dir",
  "node.no_wrappers":
    "the blocks in this directory have no ProposerVM wrappers, by which the nodes of a network know them: replay a file that has them (`serac export blocks` of a directory that joined writes one) into another --data-dir, or join with an empty one",
  "node.other_rule":
    "the data was made with another value of this rule: leave the flag out to go on with that value, or start with the flag and an empty --data-dir",
  "node.public_plugins": "a public server hosts no VMs: leave out --plugin-dir",
  "node.no_chain": "there is no chain in this directory",
  "node.not_genesis": "no start time of the built-in genesis gives the first block's parent",
  "node.read_only": {
    sentence: "the node only serves the chain and does not accept transactions",
    avalanchegoMessage: "chain is served without a producer: it takes no transactions",
  },
  "node.unsafe_reader":
    "another process writes to this directory, which is read-only here: readers beside a writer need to write its lock.mdb",
  "node.other_version": "another version of this program has opened the directory for writing: restart this process",
  "node.no_shared_memory": {
    sentence: "this node runs the P-Chain alone and cannot see what other chains exported to it: issue imports at a full node",
    avalanchegoMessage: "issuing an import tx is not allowed while partial syncing",
  },
  "node.bootstrap_counts": "there must be as many addresses (--bootstrap-ips) as node IDs (--bootstrap-ids)",
  "node.keys_not_copied": "the keys of the node could not be copied",
  "node.bad_bootstrap_address": "a text of --bootstrap-ips is not an address and a port, like 127.0.0.1:9651 or [::1]:9651",
  "node.bad_bootstrap_id": "a text of --bootstrap-ids is not a node ID, like NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
  "node.no_bootstrappers": "no bootstrapper of this network is known: name some with --bootstrap-ips and --bootstrap-ids",
  "node.bad_public_ip": "the public address is not an IP address",
  "node.bad_network_setting": "a --network-* flag contradicts another one, or is out of its range",
  "node.bad_repolls": "there are at most as many polls in flight as polls in a row decide",
  "node.bad_quorum": "a quorum is more than half of the sample, and the confidence quorum not below the preference quorum",
  "node.production":
    "this network cannot be run as a private chain: join it with `serac node`, or serve a replayed chain with `serac serve`",
  "node.fork_busy":
    "a process writes to the directory that is to be forked, which must stay as it is: stop that process, fork a copy made by `serac backup`, or fork the node's URL",
  "node.fork_changed":
    "the chain below this fork has changed since the fork was made: restore it, or begin a new fork with --reset",
  "node.other_fork":
    "the data directory holds a fork of another chain: name another --data-dir, or begin a new fork with --reset",
  "node.fork_at_proposal":
    "the block at this height proposes something, and the next block decides on it: fork at the next height",
  "node.fork_needs_directory":
    "the chain of a URL is copied into the fork's directory first: name a data directory for it, because a chain in memory has none",
  "node.is_a_fork":
    "the data directory holds a fork, which is made of two stores: copy it with `serac backup`, and give the copy to this command",
  "node.not_a_fork": "the data directory holds a chain that is not a fork: name another --data-dir",
  "node.publish_without_history": "--publish needs the tables for explorers: start without --history off",
  "node.bad_proxied_chain": "requests can be passed on for the C-Chain and for the chains of L1s: name C, or the ID of a chain",
  "node.no_home": "no home directory is known, so there is no default data directory: name one with --data-dir",
  "node.address_taken":
    "another program listens at this address: stop it, or choose another --http-port, --staking-port or --metrics-port (0 takes a free one)",
  "node.cannot_listen": "the server cannot listen at this address",
  "node.future_height": "the chain has not reached this height",
  "node.damaged": "the store contradicts itself: try `serac repair`, else restore a backup or replay the chain",
  "node.older_l1s":
    "the directory has L1s of a version that kept each in a database of its own, which no upgrade reads: remove them with that version (`serac l1 remove`) or move their folder away, upgrade, and create them again",
  "node.upgrade_room":
    "the disk has less room than the new data file may need beside the old one: make room, or move the directory to another disk",
  "node.history_incomplete":
    "the history of a block cannot be made; the chain itself is intact, and the history is answered up to the block before",
  "node.no_history":
    "this needs the tables for explorers, which the chain lacks: start its node once without --history off, which adds them",
  "node.one_process": "a fork is served by one process: leave --processes out",
  "node.unknown_option": "`startDevnet` has no option of this name",
  "node.unknown_flag": "no flag of this name sets a rule",
  "node.bad_option": "the value of this option of `startDevnet` does not have the required form",
  "node.bad_options": "`startDevnet` takes an object with its options",
  "node.stopped": "the node is stopping, or has stopped",
  "node.upgrades_fixed": "the upgrade schedule of this network is fixed",
})
