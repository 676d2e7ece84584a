import { refusals } from "../core/lib/invalid.js"

/** Errors of the host of VM plugins. */
export const vmError = refusals({
  "vm.unknown_vm": "no plugin for this VM is in --plugin-dir",
  "vm.no_plugins": "this node hosts no VMs: start it with --plugin-dir",
  "vm.bad_plugin_dir": "the plugin directory cannot be read",
  "vm.not_executable": "the plugin is not a file that this user may execute",
  "vm.exited": "the plugin ended before it was ready",
  "vm.silent": "the plugin did not answer within the time limit",
  "vm.protocol": "the plugin speaks a version of the plugin protocol that is older than those that this node speaks",
  "vm.newer_protocol":
    "the plugin speaks a newer version of the plugin protocol than this node knows: start the node with --plugin-protocol and this version, or with --plugin-protocol any, to run the plugin all the same",
  "vm.refused": "the plugin refused to start the chain",
  "vm.unknown_l1": "no L1 of this node has this name",
  "vm.bad_name":
    "the name of an L1 has 1 to 32 letters and digits, begins with a letter, and is no word of the command `serac l1`",
  "vm.name_taken": "another chain of this node has this name",
  "vm.no_genesis": "this VM has no default genesis: give one",
  "vm.platform": "VM plugins run on Linux and macOS only",
  "vm.will_not_sign": "the VM of the chain does not sign this message, because its chain has not sent it",
  "vm.first_block": "the first block of a chain after its genesis can carry no Warp message",
  "vm.snapshot_lost":
    "the snapshot is lost: the L1s have changed more since then than is kept in memory; take a snapshot shortly before what is to be reverted",
  "vm.own_data":
    "the VM of this L1 keeps data in files of its own, of which there are no snapshots: remove the L1, or let the VM use the database of its host (for subnet-evm, without use-standalone-database)",
  "vm.no_c_chain": "this node has no C-Chain: start it with --plugin-dir, a plugin of coreth in it, and --c-chain",
  "vm.clock":
    "the last block of the chain is ahead of the machine's clock, and this plugin cannot follow the clock of the private chain: use a plugin that follows it, as `serac plugin build` makes them",
  "vm.bad_version": "a version is that of a release, such as v1.14.2 of AvalancheGo, or v0.8.0 of subnet-evm's own module",
  "vm.no_go": "plugins are built with Go, which cannot be started: install it from https://go.dev/dl, and a C compiler",
  "vm.unknown_go": "the time.Now of this release of Go is another one than those that Serac can make follow a clock",
  "vm.build_failed": "Go could not build the plugin",
  "vm.not_following": "the plugin was built, but does not follow a clock when it is started, so it was not kept",
  "vm.stopped": "the chain is not running",
  "vm.lied": "the VM of the chain is not true to its block",
})
