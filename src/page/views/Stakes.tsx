import { isObject, type JsonObject } from "../data/decoded.js"
import { secondsOf, shortened } from "../data/format.js"
import { txKind } from "../data/kinds.js"
import { hrefOf } from "../data/route.js"
import { platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Answer } from "../parts/states.js"
import { Amount, Away } from "../parts/values.js"

interface Stake {
  readonly txID: string
  readonly kind: string
  readonly nodeID: string
  readonly weight: string
  readonly end: number
}

/** Number of transactions of the address that are searched, and number of stakes that are shown. */
const [LOOKED, SHOWN] = [200, 10]

async function askStakes(address: string) {
  const [{ txs }, { timestamp }] = await Promise.all([
    platform<{ txs: { txID: string; kind: string }[] }>("getTxsByAddress", { address, limit: LOOKED }),
    platform<{ timestamp: string }>("getTimestamp"),
  ])
  const staking = txs.filter(({ kind }) => /^Add.*(Validator|Delegator)Tx$/.test(kind) && kind !== "AddSubnetValidatorTx")
  const stakes = await Promise.all(staking.slice(0, SHOWN).map(({ txID, kind }) => askStake(txID, kind)))
  return { stakes, now: secondsOf(timestamp), left: staking.length - stakes.length }
}

async function askStake(txID: string, kind: string): Promise<Stake> {
  const { tx } = await platform<{ tx: JsonObject }>("getTx", { txID, encoding: "json" })
  const unsigned = isObject(tx.unsignedTx) ? tx.unsignedTx : {}
  const validator = isObject(unsigned.validator) ? unsigned.validator : unsigned
  const { nodeID = "", weight = 0, end = 0 } = validator
  return { txID, kind, nodeID: String(nodeID), weight: String(weight), end: Number(end) }
}

/** What an address staked lately, and until when. */
export function Stakes({ address }: { readonly address: string }) {
  const query = useQuery(`stakes ${address}`, () => askStakes(address), { pause: 2000 })
  return (
    <section>
      <h2>Stakes</h2>
      <Answer query={query}>
        {({ stakes, now, left }) => (
          <>
            <ol class="list">
              {stakes.map(({ txID, kind, nodeID, weight, end }) => (
                <li key={txID}>
                  <Amount nanos={weight} />
                  <a class="tag" href={hrefOf("tx", txID)} title={`Transaction ${txID}`}>
                    {txKind(kind).name}
                  </a>
                  <a href={hrefOf("validator", nodeID)} title={nodeID}>
                    {shortened(nodeID, 12, 4)}
                  </a>
                  <span class="quiet end">{end === 0 ? "renews itself" : <Away at={end} from={now} />}</span>
                </li>
              ))}
              {stakes.length === 0 && <li class="quiet">None among its latest transactions.</li>}
            </ol>
            {left > 0 && <p class="quiet">{left} more are among its transactions.</p>}
          </>
        )}
      </Answer>
    </section>
  )
}
