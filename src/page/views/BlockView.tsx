import { height as tip } from "../data/chain.js"
import { type DecodedBytes, decode, isObject, type JsonObject, listOf } from "../data/decoded.js"
import { grouped, visibleText } from "../data/format.js"
import { blockKind } from "../data/kinds.js"
import { hrefOf } from "../data/route.js"
import { platform, type ResultOf } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Bytes } from "../parts/Bytes.js"
import { Answer, Title } from "../parts/states.js"
import { TxLabel } from "../parts/TxLabel.js"
import { Amount, Copy, Fact, Facts, IdLink, Time } from "../parts/values.js"

type TxRow = ResultOf<"getTxInfo">

/** Number of transactions that are requested one by one. A full block may have hundreds. */
const ASKED = 50

async function askBlock(argument: string) {
  const isHeight = /^\d+$/.test(argument)
  const { block } = isHeight
    ? await platform("getBlockByHeight", { height: argument })
    : await platform("getBlock", { blockID: argument })
  const decoded = await decode(block)
  const ids = txIDsOf(decoded.value)
  return { decoded, rows: await askTxs(ids), count: ids.length, decided: await askDecided(decoded) }
}

async function askTxs(txIDs: readonly string[]): Promise<readonly TxRow[]> {
  const rows = txIDs.slice(0, ASKED).map((txID) => platform("getTxInfo", { txID }).catch(() => undefined))
  return (await Promise.all(rows)).filter((row) => row !== undefined)
}

/** Returns the proposed transaction that a block commits or aborts. It is the last one of the block before. */
async function askDecided({ kind, value }: DecodedBytes): Promise<readonly TxRow[]> {
  // Genesis is a commit block without a proposal.
  if (!/(Commit|Abort)Block$/.test(kind) || Number(value.height) === 0) return []
  const { block } = await platform("getBlock", { blockID: String(value.parentID) })
  return askTxs(txIDsOf((await decode(block)).value).slice(-1))
}

function txIDsOf(block: JsonObject): string[] {
  const all = [...listOf(block.txs), ...(isObject(block.tx) ? [block.tx] : [])]
  return all.filter(isObject).map((tx) => String(tx.id))
}

/** A block: its place in the chain, its transactions, and its bytes. */
export function BlockView({ argument }: { readonly argument: string }) {
  const query = useQuery(`block ${argument}`, () => askBlock(argument), { live: false })
  return (
    <>
      <Title>Block {/^\d+$/.test(argument) ? grouped(argument) : ""}</Title>
      <Answer query={query}>
        {({ decoded, rows, count, decided }) => (
          <>
            <Head decoded={decoded} />
            <section class="sheet">
              <h2>Transactions ({count})</h2>
              {count === 0 && <p class="quiet">None.</p>}
              <TxRows rows={rows} />
              {count > ASKED && <p class="quiet">The other {count - ASKED} are among the bytes below.</p>}
            </section>
            {decided.length > 0 && (
              <section class="sheet">
                <h2>{blockKind(decoded.kind)}s the proposal of the block before</h2>
                <TxRows rows={decided} />
              </section>
            )}
            <Bytes decoded={decoded} />
          </>
        )}
      </Answer>
    </>
  )
}

function TxRows({ rows }: { readonly rows: readonly TxRow[] }) {
  return (
    <ol class="list">
      {rows.map(({ txID, kind, fee, status, effect }) => (
        <li key={txID}>
          <TxLabel txID={txID} kind={kind} status={status} />
          <span class="quiet">{visibleText(effect)}</span>
          <span class="end">
            fee <Amount nanos={fee} />
          </span>
        </li>
      ))}
    </ol>
  )
}

function Head({ decoded }: { readonly decoded: DecodedBytes }) {
  const { value, kind, id } = decoded
  const height = Number(value.height)
  const last = tip.use() ?? 0
  return (
    <section class="sheet">
      <p class="lead steps">
        {height > 0 && <a href={hrefOf("block", height - 1)}>← Block {grouped(height - 1)}</a>}
        {height < last && <a href={hrefOf("block", height + 1)}>Block {grouped(height + 1)} →</a>}
      </p>
      <Facts>
        <Fact name="Height">{grouped(height)}</Fact>
        <Fact name="Kind">
          {blockKind(kind)} <span class="quiet">({kind})</span>
        </Fact>
        <Fact name="ID">
          <code>{id}</code> <Copy text={String(id)} />
        </Fact>
        {value.time !== undefined && (
          <Fact name="Time">
            <Time at={Number(value.time)} both />
          </Fact>
        )}
        <Fact name="Parent">
          {height === 0 ? String(value.parentID) : <IdLink view="block" id={String(value.parentID)} whole />}
        </Fact>
        <Fact name="Size">{grouped(decoded.hex.length / 2)} bytes</Fact>
      </Facts>
    </section>
  )
}
