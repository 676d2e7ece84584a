/** A value that programs for AvalancheGo's local network contain, and the call that returns it. */
export interface Fact {
  readonly title: string
  readonly value: string
  /** The call that returns the value. */
  readonly path: string
  readonly method: string
  readonly params: object
  /** The path of the member in the answer. */
  readonly member: string
}

/** The key that owns most of the local network. */
export const EWOQ_KEY = "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN"
const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"

const info = (title: string, value: string, method: string, member: string, params = {}): Fact => ({
  title,
  value,
  path: "/ext/info",
  method: `info.${method}`,
  params,
  member,
})
const platform = (title: string, value: string, method: string, member: string, params = {}): Fact => ({
  title,
  value,
  path: "/ext/bc/P",
  method: `platform.${method}`,
  params,
  member,
})

/** The values of AvalancheGo v1.13.0 to v1.14.2. */
export const facts: readonly Fact[] = [
  info("network ID", "12345", "getNetworkID", "networkID"),
  info("network name", "local", "getNetworkName", "networkName"),
  info("P-Chain", "11111111111111111111111111111111LpoYY", "getBlockchainID", "blockchainID", { alias: "P" }),
  info("X-Chain", "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed", "getBlockchainID", "blockchainID", { alias: "X" }),
  info("C-Chain", "2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC", "getBlockchainID", "blockchainID", { alias: "C" }),
  platform("AVAX", "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe", "getStakingAssetID", "assetID"),
  info("node ID", "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "getNodeID", "nodeID"),
  platform("nAVAX of `ewoq`", "30000000000000000", "getBalance", "balance", { addresses: [EWOQ] }),
  platform("least stake of a validator", "2000000000000", "getMinStake", "minValidatorStake"),
  platform("least stake of a delegator", "25000000000", "getMinStake", "minDelegatorStake"),
]

/** Flags of AvalancheGo that scripts start a local node with; those without meaning here are taken with a warning. */
export const flags = [
  "--network-id=local",
  "--sybil-protection-enabled=false",
  "--snow-sample-size=1",
  "--snow-quorum-size=1",
  "--db-type=memdb",
  "--staking-port=9651",
  "--bootstrap-ips=",
  "--bootstrap-ids=",
  "--log-display-level=info",
  "--public-ip=127.0.0.1",
  "--health-check-frequency=2s",
  "--index-enabled",
  "--api-admin-enabled",
]

export const VALIDATORS = [
  "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
  "NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ",
  "NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN",
  "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu",
  "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5",
]
