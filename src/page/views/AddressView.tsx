import { hrefOf } from "../data/route.js"
import { platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Rows } from "../parts/Rows.js"
import { Answer, isRefused, Title } from "../parts/states.js"
import { TxLabel } from "../parts/TxLabel.js"
import { Amount, Copy, Fact, Facts, IdLink, Time } from "../parts/values.js"
import { Stakes } from "./Stakes.js"
import { Utxos } from "./Utxos.js"

/** The pixels of the balance with its five rows. */
const BALANCE_HEIGHT = 250

/** Number of rows of a list that are shown first, and added by each click. */
const PAGE = 20

/** An address: its balance by lock, its stakes, its UTXOs, its rewards and its transactions. */
export function AddressView({ argument: address }: { readonly argument: string }) {
  const balance = useQuery(`balance ${address}`, () => askBalance(address))
  return (
    <>
      <Title>Address</Title>
      <p>
        <code>{address}</code> <Copy text={address} /> <a href={hrefOf("spellings", address)}>Other spellings</a>
      </p>
      <Answer query={balance} height={BALANCE_HEIGHT}>
        {({ owned, staked }) => (
          <section class="sheet">
            <h2>Balance</h2>
            <Facts>
              <Fact name="In all" hint="Everything it is an owner of, with what it has staked">
                <strong>
                  <Amount nanos={BigInt(owned.balance) + staked} exact />
                </strong>
              </Fact>
              <Fact name="Free to spend">
                <Amount nanos={owned.unlocked} exact />
              </Fact>
              <Fact name="Locked, can be staked">
                <Amount nanos={owned.lockedStakeable} exact />
              </Fact>
              <Fact name="Locked">
                <Amount nanos={owned.lockedNotStakeable} exact />
              </Fact>
              <Fact name="Staked" hint="It comes back when the staking period ends">
                <Amount nanos={staked} exact />
              </Fact>
            </Facts>
          </section>
        )}
      </Answer>
      {!isRefused(balance) && (
        <div class="columns">
          <History address={address} />
          <Rewards address={address} />
          <Stakes address={address} />
          <Utxos address={address} />
        </div>
      )}
    </>
  )
}

async function askBalance(address: string) {
  const [owned, { staked }] = await Promise.all([
    platform("getBalance", { addresses: [address] }),
    platform("getStake", { addresses: [address] }),
  ])
  return { owned, staked: BigInt(staked) }
}

async function askHistory(address: string, limit: number, cursor: string | undefined) {
  const [{ txs, cursor: next }, { assetID }] = await Promise.all([
    platform("getTxsByAddress", { address, limit, cursor }),
    platform("getStakingAssetID"),
  ])
  const netOf = ({ effects }: (typeof txs)[number]): bigint =>
    (effects ?? [])
      .filter((effect) => effect.assetID === assetID)
      .reduce((sum, { received, sent }) => sum + BigInt(received) - BigInt(sent), 0n)
  return { rows: txs.map((row) => ({ ...row, net: netOf(row) })), cursor: next }
}

async function askRewards(address: string, limit: number, cursor: string | undefined) {
  const params = { address, limit, cursor }
  const { rewards, cursor: next } = await platform("getRewardsByAddress", params)
  return { rows: rewards, cursor: next }
}

/** Shows the amount that a transaction paid to an address or took from it. */
function Net({ nanos }: { readonly nanos: bigint }) {
  if (nanos === 0n) return null
  return (
    <span class={nanos > 0n ? "good" : ""}>
      {nanos > 0n ? "+" : "−"}
      <Amount nanos={nanos > 0n ? nanos : -nanos} />
    </span>
  )
}

function History({ address }: { readonly address: string }) {
  return (
    <section>
      <h2>Transactions</h2>
      <Rows
        name={`history ${address}`}
        step={PAGE}
        ask={(limit, cursor: string | undefined) => askHistory(address, limit, cursor)}
      >
        {({ txID, kind, timestamp, net }) => (
          <li key={txID}>
            <TxLabel txID={txID} kind={kind} />
            <Net nanos={net} />
            <span class="quiet end">
              <Time at={timestamp} />
            </span>
          </li>
        )}
      </Rows>
    </section>
  )
}

const REWARD_NAMES: Readonly<Record<string, string>> = {
  validation: "for validating",
  delegation: "for delegating",
  delegationFee: "from delegators",
}

function Rewards({ address }: { readonly address: string }) {
  return (
    <section>
      <h2>Rewards</h2>
      <Rows
        name={`rewards ${address}`}
        step={PAGE}
        ask={(limit, cursor: string | undefined) => askRewards(address, limit, cursor)}
      >
        {({ utxoID, amount, stakerTxID, kind, timestamp }) => (
          <li key={utxoID}>
            <span class="good">
              +<Amount nanos={amount} />
            </span>
            <span class="quiet">{REWARD_NAMES[kind] ?? kind}</span>
            <IdLink view="tx" id={stakerTxID} text="stake" />
            <span class="quiet end">
              <Time at={timestamp} />
            </span>
          </li>
        )}
      </Rows>
    </section>
  )
}
