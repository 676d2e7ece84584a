import { useEffect } from "preact/hooks"
import { version } from "../data/chain.js"
import { grouped, shortened, visibleText } from "../data/format.js"
import { askEvm, askL1s, type EvmChain, type L1 } from "../data/l1s.js"
import { useQuery } from "../data/useQuery.js"
import { askValidators } from "../data/validators.js"
import { askWarp } from "../data/warp.js"
import { Answer, Title } from "../parts/states.js"
import { Copy, Fact, Facts, IdLink, Time } from "../parts/values.js"
import { WarpMessages } from "./WarpMessages.js"

/** Milliseconds between two looks at an L1, whose blocks the events of the P-Chain do not announce. */
const LOOK = 2000

async function askL1(name: string) {
  const l1s = await askL1s()
  const l1 = l1s.find((each) => each.name === name || each.chainID === name)
  if (!l1) return undefined
  const rpc = l1.paths.find((path) => path.endsWith("/rpc"))
  const [evm, validators] = await Promise.all([
    l1.evmChainID !== undefined && rpc !== undefined ? askEvm(rpc) : undefined,
    askValidators({ subnetID: l1.subnetID }),
  ])
  const messages = evm && rpc !== undefined ? await askWarp(rpc, l1.chainID, evm) : []
  return { l1, evm, validators, messages, names: new Map(l1s.map((each) => [each.chainID, each.name])) }
}

/** An L1 whose VM runs in the node: where it is reached, its latest blocks, and what its plugin printed. */
export function L1View({ argument: name }: { readonly argument: string }) {
  useEffect(() => {
    const timer = setInterval(() => {
      version.value++
    }, LOOK)
    return () => clearInterval(timer)
  }, [])
  const query = useQuery(`l1 ${name}`, async () => ({ found: await askL1(name) }))
  return (
    <>
      <Title>L1 {visibleText(name)}</Title>
      <Answer query={query}>
        {({ found }) =>
          found ? (
            <>
              <L1Facts l1={found.l1} evm={found.evm} validators={found.validators.length} />
              <WarpMessages messages={found.messages} names={found.names} />
              {found.evm && <Blocks evm={found.evm} />}
              <PluginLog lines={found.l1.log} />
            </>
          ) : (
            <p>This node runs no L1 of this name.</p>
          )
        }
      </Answer>
    </>
  )
}

function L1Facts({ l1, evm, validators }: { readonly l1: L1; readonly evm: EvmChain | undefined; readonly validators: number }) {
  const { paths, evmChainID, height, state, reason, vm, version: vmVersion, clock, subnetID, chainID, keys } = l1
  const [key] = keys
  return (
    <section class="sheet" aria-label="Facts">
      <Facts>
        <Fact name="State">
          {state === "running" ? <span class="good">running</span> : <span class="bad">{state}</span>}{" "}
          {reason !== undefined && visibleText(reason)}
        </Fact>
        {paths.map((path) => (
          <Fact key={path} name={path.split("/").at(-1) ?? ""}>
            <code>{addressOf(path)}</code> <Copy text={addressOf(path)} />
          </Fact>
        ))}
        {evmChainID !== undefined && <Fact name="Chain ID">{evmChainID}</Fact>}
        {height !== undefined && <Fact name="Height">{grouped(height)}</Fact>}
        {evm && <Fact name="Gas price">{`${grouped(evm.gasPrice)} wei`}</Fact>}
        <Fact name="VM">{`${vm} ${vmVersion ?? ""}`.trim()}</Fact>
        {clock === "none" && <Fact name="Clock">that of this machine: its plugin does not follow the private chain</Fact>}
        <Fact name="Validators">
          {validators} of <IdLink view="subnet" id={subnetID} />
        </Fact>
        <Fact name="Blockchain">
          <code title={chainID}>{shortened(chainID)}</code> <Copy text={chainID} />
        </Fact>
        {key && (
          <Fact name="Funded key" hint="It is publicly known">
            <code>{key.address}</code> <Copy text={key.privateKey} label="Copy the private key" />
          </Fact>
        )}
      </Facts>
    </section>
  )
}

/** WebSockets have an address of their own kind. */
const addressOf = (path: string): string =>
  (path.endsWith("/ws") ? location.origin.replace(/^http/, "ws") : location.origin) + path

function Blocks({ evm: { blocks } }: { readonly evm: EvmChain }) {
  return (
    <section class="sheet" aria-label="Latest blocks">
      <h2>Latest blocks</h2>
      <ol class="list">
        {blocks.map(({ number, hash, timestamp, gasUsed, transactions }) => (
          <li key={hash}>
            <strong>{grouped(BigInt(number))}</strong>
            <span>
              <code title={hash}>{shortened(hash)}</code> <Copy text={hash} />
            </span>
            <span class="quiet">
              {transactions.length === 1 ? "1 transaction" : `${transactions.length} transactions`}, {grouped(BigInt(gasUsed))}{" "}
              gas
            </span>
            <span class="quiet end">
              <Time at={Number(timestamp)} />
            </span>
          </li>
        ))}
      </ol>
      <h2>Their transactions</h2>
      <ol class="list">
        {blocks
          .flatMap(({ transactions }) => transactions)
          .slice(0, 20)
          .map(({ hash, from, to }) => (
            <li key={hash}>
              <span>
                <code title={hash}>{shortened(hash)}</code> <Copy text={hash} />
              </span>
              <span class="quiet">
                <code title={from}>{shortened(from)}</code>{" "}
                {to === null ? "creates a contract" : <code title={to}>{`→ ${shortened(to)}`}</code>}
              </span>
            </li>
          ))}
      </ol>
    </section>
  )
}

function PluginLog({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <section class="sheet" aria-label="Log of the plugin">
      <h2>Log of the plugin</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by the keyboard. */}
      <pre class="code" tabIndex={0}>
        {lines.map(visibleText).join("\n")}
      </pre>
    </section>
  )
}
