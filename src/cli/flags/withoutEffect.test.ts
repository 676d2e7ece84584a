import { expect, test } from "vitest"
import { commands } from "../commands/index.js"
import { parseCommandLine, resolveFlags, variableOf } from "./flags.js"
import { warningsOf } from "./withoutEffect.js"

const NODE = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"
const ADDRESS = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const join = ["--bootstrap-ips", "127.0.0.1:9651", "--bootstrap-ids", NODE]

/** Command lines, each with the flag that is refused, and the beginning of the reason. */
const refused: readonly (readonly [words: string, flag: string, reason: string])[] = [
  ["node --rate-limit 5", "rate-limit", "only clients of a public server"],
  ["serve --trusted-proxies 10.0.0.1", "trusted-proxies", "only clients of a public server"],
  ["follow http://a --metrics-host 10.0.0.1", "metrics-host", "metrics have no port"],
  ["node --public --chain-proxy C=http://127.0.0.1:8545", "chain-proxy", "a server with --public"],
  ["node --snapshot-every 5", "snapshot-every", "the chain is not published"],
  ["follow http://a --replace", "replace", "the chain is not published"],
  ["replay --replace file", "replace", "the chain is not published"],
  ["node --l1 mine=subnet-evm", "l1", "the node runs no VMs"],
  ["node --auto-relay", "auto-relay", "the node runs no VMs"],
  ["mcp --plugin-protocol any", "plugin-protocol", "the node runs no VMs"],
  ["node --fork-height 5", "fork-height", "no chain is forked"],
  ["node --fork dir --upgrade etna", "upgrade", "a fork has the genesis"],
  ["node --state a --dump-state b", "dump-state", "--state names the file"],
  ["node --block-interval 5s", "block-interval", "only --block-mode interval"],
  ["node --accounts 0 --balance 5avax", "balance", "there are no accounts"],
  ["node --genesis-file a --balance 5avax", "balance", "a chain with a genesis file"],
  ["node --genesis-file a --genesis-file-content b", "genesis-file", "--genesis-file-content is given"],
  ["genesis --genesis-file a --genesis-file-content b", "genesis-file", "--genesis-file-content is given"],
  ["follow http://a --upgrade-file a --upgrade-file-content b", "upgrade-file-content", "--upgrade-file is given"],
  ["node --staking-ephemeral-cert-enabled --staking-tls-key-file a", "staking-tls-key-file", "the certificate is new"],
  [
    "serve --staking-tls-key-file a --staking-tls-key-file-content b",
    "staking-tls-key-file",
    "--staking-tls-key-file-content is",
  ],
  ["serve --staking-tls-cert-file a --staking-tls-cert-file-content b", "staking-tls-cert-file", "--staking-tls-cert-file-c"],
  [`node ${join.join(" ")} --accounts 3`, "accounts", "the node joins a network"],
  ["node --network-id fuji --plugin-dir a", "plugin-dir", "the node joins a network"],
  ["node --network-id fuji --c-chain required", "c-chain", "the node joins a network"],
  ["node --c-chain required", "c-chain", "the node runs no VMs"],
  ["node --plugin-dir b --c-chain off --c-chain-upgrade granite", "c-chain-upgrade", "--c-chain off starts no C-Chain"],
  ["node --fork a --plugin-dir b --c-chain required", "c-chain", "a fork has the P-Chain only"],
  ["node --serve-while-syncing", "serve-while-syncing", "the node joins no network"],
  ["node --network-id fuji --snow-quorum-size 3 --snow-confidence-quorum-size 3", "snow-confidence-quorum-size", "--snow-quorum"],
  ["node --ephemeral --data-dir a", "data-dir", "--ephemeral stores nothing"],
  ["node --ephemeral --db-dir a", "db-dir", "--ephemeral stores nothing"],
  ["node --ephemeral --min-free-disk 5", "min-free-disk", "--ephemeral stores nothing"],
  ["node --state a --reset", "reset", "--state without --data-dir"],
  ["node --data-dir a --state b --plugin-dir c", "state", "a state file has no L1s"],
  ["serve --postgres a --data-dir b", "data-dir", "the chain is read from the database"],
  ["serve --postgres a --history off", "history", "the chain is read from the database"],
  ["serve --postgres a --shared-volume", "shared-volume", "the chain is read from the database"],
  ["serve --postgres a --min-free-disk 5", "min-free-disk", "the chain is read from the database"],
  ["replay file --trust-signatures --replay-workers 2", "replay-workers", "--trust-signatures"],
  ["replay file --blocks file", "blocks", "FILE is given"],
  ["mcp --url 127.0.0.1:9650 --http-port 5", "http-port", "the node of --url"],
  ["check --url 127.0.0.1:9650 --network-id fuji 0x00", "network-id", "the node of --url"],
  ["check --lines 0x00", "lines", "TX… is given"],
  ["decode --lines --fields", "fields", "--lines prints one line"],
  ["decode --lines 0x00", "lines", "HEX is one input"],
  ["export utxos --to 5", "to", "UTXOs and stakers"],
  [`export txs --address ${ADDRESS}`, "address", "only stakes and rewards"],
  ["export blocks --format csv", "format", "blocks are always lines of hex"],
  ["export txs --year 2027 --from 5", "from", "--year names"],
  ["send a 5avax --account 0 --private-key-file b", "private-key-file", "the key of --account signs"],
  ["l1 top-up mine --account 0 --private-key-file b", "private-key-file", "the key of --account signs"],
  ["stake 5avax 14d --account 0 --private-key-file b", "private-key-file", "the key of --account signs"],
  [`stake 5avax 14d --node ${NODE} --force`, "force", "only a new validator"],
  [`stake 5avax 14d --node ${NODE} --delegation-fee 3%`, "delegation-fee", "the validator that --node names"],
  [`stake 5avax 14d --node ${NODE} --auto-renew 50%`, "auto-renew", "only a new validator renews itself"],
  ["state --atomic --deep", "deep", "--atomic prints UTXOs alone"],
  ["l1 create a --manager-chain C", "manager-chain", "there is no validator manager"],
  ["tx build --json", "json", "the file is JSON"],
  ["tx combine a --url 127.0.0.1:9650", "url", "no node is asked"],
  ["plugin list --version v0.8.0", "version", "only serac plugin build has it"],
  ["plugin list --out a", "out", "only serac plugin build has it"],
  ["plugin list --cache a", "cache", "only serac plugin build has it"],
  ["plugin build coreth --plugin-dir a", "plugin-dir", "only serac plugin list has it"],
  ["l1 start mine --manager a", "manager", "only serac l1 create has it"],
  ["state --plugin-dir a", "plugin-dir", "nothing is checked"],
  ["health --url 127.0.0.1:9650 --http-port 5", "http-port", "--url names the port"],
  ["health --ready --alive", "alive", "--ready asks for more"],
  ["id a --to hex --json", "json", "--to prints one form alone"],
  ["id a --to hex --network-id fuji", "network-id", "only addresses have a network"],
  ["genesis --bytes - --json", "json", "--bytes - prints the bytes alone"],
  ["dev mine --force", "force", "only advance has a limit"],
  ["network --nodes 3 --with-avalanchego a", "with-avalanchego", "no node is AvalancheGo's"],
  ...(
    [
      ["from a", "build", "inspect"],
      ["change a", "build", "sign"],
      ["utxos a", "build", "send"],
      ["known a", "inspect", "sign"],
      ["private-key-file a", "sign", "build"],
      ["account 5", "sign", "combine"],
      ["no-wait", "send", "sign"],
    ] as const
  ).map(([flag, verbs, verb]) => [`tx ${verb} a --${flag}`, flag.split(" ")[0] as string, `only serac tx ${verbs}`] as const),
  ...(
    [
      ["vm a", "create", "start"],
      ["genesis a", "create", "start"],
      ["config a", "create", "start"],
      ["upgrades a", "create", "start"],
      ["validators 3", "create", "start"],
      ["tx 0x00", "register and weight", "disable"],
      ["weight 3", "create", "start"],
      ["evm-chain-id 3", "create and genesis", "start"],
      ["balance 5avax", "create and register", "weight"],
      ["proof 0x00", "register", "weight"],
      ["height 5", "health", "top-up"],
      ["until 5d", "health and top-up and rehearse", "show"],
      ["l1-rpc a", "health and rehearse", "top-up"],
      ["warn-before 5d", "health", "rehearse"],
      ["increase a=5avax", "top-up and rehearse", "health"],
      ["private-key-file a", "top-up and rehearse", "health"],
      ["account 5", "top-up and rehearse", "health"],
      ["no-wait", "top-up", "rehearse"],
    ] as const
  ).map(([flag, verbs, verb]) => [`l1 ${verb} mine --${flag}`, flag.split(" ")[0] as string, `only serac l1 ${verbs}`] as const),
]

/** Reads a command line. `moved` is a flag that comes from the environment instead. */
async function given(text: string, moved?: string) {
  const [name, ...words] = text.split(" ")
  const command = await commands.find((each) => each.name === name)?.load()
  if (!command) throw new Error(`there is no command ${name}`)
  const { flags, args } = parseCommandLine(words, command.flags)
  const rest = new Map(flags)
  const env = moved === undefined ? {} : { [variableOf(moved)]: String(rest.get(moved)) }
  if (moved !== undefined) rest.delete(moved)
  return { rules: command.rules ?? [], input: resolveFlags(command.flags, { flags: rest, args }, env, {}) }
}

/** The flags whose loss would do harm, so that the environment may not name them either. */
const always = ["chain-proxy", "upgrade", "state", "private-key-file", "blocks", "lines", "from"]

test.each(refused)(
  "serac %s: --%s is refused on the command line, and gives a warning elsewhere",
  async (words, flag, reason) => {
    const fromLine = await given(words)
    const error = {
      code: "cli.flag_without_effect",
      data: { flag: `--${flag}`, reason: expect.stringMatching(`^${escaped(reason)}`) },
    }
    expect(() => warningsOf(fromLine.rules, fromLine.input)).toThrow(expect.objectContaining(error))
    const { rules, input } = await given(words, flag)
    if (always.includes(flag) && !reason.startsWith("only serac"))
      expect(() => warningsOf(rules, input)).toThrow(
        expect.objectContaining({ ...error, data: { ...error.data, source: "environment" } }),
      )
    else expect(warningsOf(rules, input)).toEqual([{ event: "flag without effect", data: error.data }])
  },
)

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

test("flags of AvalancheGo give a warning on the command line, too", async () => {
  const { rules, input } = await given("node --staking-port 9651 --data-dir a --db-dir b")
  expect(warningsOf(rules, input).map(({ data }) => data.flag)).toEqual(["--staking-port", "--db-dir"])
})

test("every rule names flags of its command, and is in the table above", async () => {
  const reasons = refused.map(([, , reason]) => reason)
  for (const { load } of commands) {
    const { flags, rules = [] } = await load()
    for (const rule of rules) {
      expect(rule.flags.filter((name) => !Object.hasOwn(flags, name))).toEqual([])
      if (rule.refused !== "never") expect(reasons.some((each) => rule.reason.startsWith(each))).toBe(true)
    }
  }
})
