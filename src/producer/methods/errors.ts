import { refusals } from "../../core/lib/invalid.js"

/** Errors of the methods of `dev`, besides those of the private chain itself. */
export const devError = refusals({
  "dev.seconds_or_to": "give either `seconds` or `to`: how far the clock moves, or until when",
  "dev.address_or_addresses": "give either `address` or `addresses`, and not both",
  "dev.no_addresses": "no address is given: name at least one",
  "dev.bad_percent": "the uptime is not a number from 0 to 100",
  "dev.online_or_offline": "a validator of an L1 is online or offline: give 0, 100 or null",
  "dev.bad_share": "the share is not a percentage from 0 to 100",
  "dev.bad_quorum": "the quorum is not a percentage from 1 to 100",
  "dev.bad_count": "the number is out of bounds",
  "dev.duration_or_auto_renew":
    "`duration` and `autoRenew` cannot be given together: an auto-renewed validator has the period of its cycles",
  "dev.not_auto_renewed": "the node is no auto-renewed validator of the primary network now",
  "dev.bad_timeout": "the timeout is not between 0 and 25 seconds",
  "dev.not_a_source": "nothing can be exported from this chain: name X or C",
  "dev.bad_hex": "the bytes are not written as 0x and hex",
  "dev.bad_base64": "the state is not written in base64",
  "dev.state_too_large": "the state is too large for an answer: stop the node with --dump-state instead",
  "dev.hosts_l1s":
    "a state file has the P-Chain only, and this node runs L1s: copy the node with `serac backup`, or remove the L1s first (dev.removeL1)",
  "dev.node_keys": "give `nodeID`, `publicKey` and `proofOfPossession` together, or none of them",
  "dev.no_vms":
    "this node hosts no VMs: start it with --plugin-dir, in the library with the option `pluginDir`, and the directory of your VM plugins",
  "dev.vm_or_genesis_data":
    "`vm` names the VM and `genesis` its file: `vmID` and `genesisData` are for L1s whose VM does not run here",
  "dev.genesis_or_evm_chain_id": "a genesis names its own chain ID: give either `genesis` or `evmChainID`",
  "dev.zero_evm_chain_id": "the chain ID of an EVM chain is at least 1",
  "dev.no_vm": "`name`, `genesis`, `config`, `upgrades` and `evmChainID` are for an L1 whose VM runs here: `vm` names it",
  "dev.bad_signer": "a signer is a node ID, or a BLS secret as 32 bytes of hex",
})
