import { useEffect } from "preact/hooks"
import { type DecodedBytes, decode } from "../data/decoded.js"
import { visibleText } from "../data/format.js"
import { isEvmAddress, l1sNamed, l1sOfAccount } from "../data/l1s.js"
import { network } from "../data/network.js"
import { hrefOf } from "../data/route.js"
import { call, platform, type ResultOf } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Bytes } from "../parts/Bytes.js"
import { JsonTree } from "../parts/JsonTree.js"
import { Answer, Title } from "../parts/states.js"
import { Copy, Fact, Facts } from "../parts/values.js"

type IdentifyAnswer = ResultOf<"identify">

/** Something of the chain that a text names. */
interface Match {
  readonly text: string
  readonly view: string
  readonly argument: string
}

interface SearchResult {
  readonly identified: IdentifyAnswer | undefined
  readonly decoded: DecodedBytes | undefined
  readonly matches: readonly Match[]
}

/** Objects that an ID can name, the likeliest first. A subnet has the ID of the transaction that created it. */
const LOOKUPS: readonly (readonly [text: string, view: string, method: string, param: string])[] = [
  ["a subnet", "subnet", "getSubnet", "subnetID"],
  ["a transaction", "tx", "getTxInfo", "txID"],
  ["a block", "block", "getBlock", "blockID"],
  ["an L1 validator", "l1validator", "getL1ValidatorHistory", "validationID"],
]

async function search(text: string): Promise<SearchResult> {
  if (isEvmAddress(text)) {
    // The same 20 bytes may be an address of the P-Chain in hex.
    const [l1s, identified] = await Promise.all([l1sOfAccount(text), platform("identify", { text })])
    const { balance } = await platform("getBalance", { addresses: [identified.forms.address ?? ""] })
    const accounts = l1s.map(({ name }) => l1Match(`an account of L1 ${name}`, name))
    return { identified, decoded: undefined, matches: balance === "0" ? accounts : await matchesOf(identified) }
  }
  const l1s = (await l1sNamed(text)).map(({ name }) => l1Match(`L1 ${name}`, name))
  if (/^\d+$/.test(text)) {
    const block = { text: "a block", view: "block", argument: text }
    return { identified: undefined, decoded: undefined, matches: [...l1s, block] }
  }
  if (l1s.length > 0) return { identified: undefined, decoded: undefined, matches: l1s }
  const isHex = /^(0x)?([0-9a-f]{2})+$/i.test(text)
  const [identified, decoded] = await Promise.all([
    platform("identify", { text }).catch((error) => (isHex ? undefined : Promise.reject(error))),
    isHex ? decode(text).catch(() => undefined) : undefined,
  ])
  // A UTXO is shown with the transaction that made it.
  const [, txID] = /^([1-9A-HJ-NP-Za-km-z]+):\d+$/.exec(text) ?? []
  if (txID !== undefined)
    return { identified, decoded, matches: [{ text: "an output of this transaction", view: "tx", argument: txID }] }
  return { identified, decoded, matches: identified ? await matchesOf(identified) : [] }
}

const l1Match = (text: string, name: string): Match => ({ text, view: "l1", argument: name })

async function matchesOf({ kind, forms, size }: IdentifyAnswer): Promise<readonly Match[]> {
  const { address, nodeID, cb58 = "" } = forms
  const people: Match[] = []
  if (address !== undefined) people.push({ text: "an address", view: "address", argument: address })
  if (nodeID !== undefined && kind !== "Address") people.push({ text: "a validator", view: "validator", argument: nodeID })
  if (size !== 32 || kind === "PrivateKey") return kind === "NodeID" ? people.toReversed() : people
  const tried = await Promise.all(
    LOOKUPS.map(([text, view, method, param]) =>
      call("/ext/bc/P", `platform.${method}`, { [param]: cb58 }).then(
        () => ({ text, view, argument: cb58 }),
        () => undefined,
      ),
    ),
  )
  const found = tried.filter((match) => match !== undefined)
  return [...(await blockchainOf(cb58)), ...found]
}

/** A blockchain, whose ID is also that of the transaction that made it, is shown with the subnet that validates it. */
async function blockchainOf(blockchainID: string): Promise<readonly Match[]> {
  try {
    const { subnetID } = await platform("validatedBy", { blockchainID })
    return [{ text: "a blockchain of this subnet", view: "subnet", argument: subnetID }]
  } catch {
    return []
  }
}

/** Opens the view of the object that a text names. If it names none, shows the kind of the text, or decodes it as bytes. */
export function SearchView({ argument }: { readonly argument: string }) {
  return <Result argument={argument} opens />
}

/** All forms of a text or of bytes, the objects that they name on this chain, and their fields. */
export function SpellingsView({ argument }: { readonly argument: string }) {
  return <Result argument={argument} opens={false} />
}

function Result({ argument, opens }: { readonly argument: string; readonly opens: boolean }) {
  const text = argument.trim()
  const { hasLab } = network.use()
  const query = useQuery(`search ${text} ${hasLab}`, () => search(text), { live: false })
  const found = query.data
  useEffect(() => {
    const [match] = found?.matches ?? []
    // Replaced, so that the back button leads to where the search began.
    if (opens && match && !found?.decoded) location.replace(hrefOf(match.view, match.argument))
  }, [found, opens])
  return (
    <>
      <Title>Search</Title>
      <p class="text">
        <code>{visibleText(text.length > 200 ? `${text.slice(0, 200)}…` : text)}</code>
      </p>
      {isEvmAddress(text) && <p>This is an address of EVM chains.</p>}
      {query.error && (
        <p>
          Search takes a height, an ID, an address, a node ID, the name or chain ID of an L1, a key, a UTXO reference, or hex of
          bytes to decode.
        </p>
      )}
      <Answer query={query}>
        {({ identified, decoded, matches }) => (
          <>
            {(matches.length > 0 || !decoded) && <Matches matches={matches} />}
            {identified && <Forms identified={identified} />}
            {decoded && (
              <>
                <section class="sheet">
                  <h2>These bytes are a {decoded.kind}</h2>
                  <JsonTree value={decoded.value} />
                </section>
                <Bytes decoded={decoded} />
              </>
            )}
          </>
        )}
      </Answer>
    </>
  )
}

function Matches({ matches }: { readonly matches: readonly Match[] }) {
  if (matches.length === 0) return <p>Nothing on this chain has this name.</p>
  return (
    <ul class="matches">
      {matches.map(({ text, view, argument }) => (
        <li key={text}>
          <a href={hrefOf(view, argument)}>Open it as {text}</a>
        </li>
      ))}
    </ul>
  )
}

function Forms({ identified }: { readonly identified: IdentifyAnswer }) {
  return (
    <section class="sheet">
      <h2>
        {identified.kind} <span class="quiet">({identified.size} bytes)</span>
      </h2>
      <Facts>
        {Object.entries(identified.forms).map(([name, form]) => (
          <Fact key={name} name={name}>
            <code>{form}</code> <Copy text={form} />
          </Fact>
        ))}
      </Facts>
    </section>
  )
}
