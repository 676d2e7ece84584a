import type { ComponentChildren } from "preact"
import { blocks, height } from "../data/chain.js"
import { avaxText, durationText, grouped, localText, secondsOf, visibleText } from "../data/format.js"
import { blockKind, txKind } from "../data/kinds.js"
import { network } from "../data/network.js"
import type { BlockEvent } from "../data/recentBlocks.js"
import { hrefOf } from "../data/route.js"
import { dev, platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import type { Status } from "../lab/status.js"
import { Title } from "../parts/states.js"
import { TxLabel } from "../parts/TxLabel.js"
import { Amount, Time } from "../parts/values.js"

/** Requests the figures that no event contains, at intervals, so that many open pages cost the node little. */
async function askTotals(hasLab: boolean) {
  const [{ supply }, stake, status] = await Promise.all([
    platform("getCurrentSupply"),
    platform("getTotalStake"),
    hasLab ? dev("status") : undefined,
  ])
  return { supply: BigInt(supply), stake: BigInt(stake.weight ?? stake.stake ?? 0), status }
}

/** The gas of a payment with one input and two outputs. */
const PAYMENT_GAS = 5179n

/** Seconds from which a clock is said to be ahead. */
const MINUTE = 60

/** Seconds of 30 days. */
const MONTH = 2_592_000n

/** Milliseconds between two queries for values that change slowly. */
const PAUSE = 10_000

/** The chain at a glance: height, time, fees, supply, stake, and the latest blocks as they arrive. */
export function Overview() {
  const { hasLab } = network.use()
  const { data } = useQuery(`totals ${hasLab}`, () => askTotals(hasLab === true), { pause: PAUSE })
  const [recent, tip] = [blocks.use(), height.use()]
  const { time, gasPrice, validatorPrice } = recent[0] ?? {}
  const oldestFirst = recent.toReversed()
  return (
    <>
      <Title>The P-Chain now</Title>
      <p class={hasLab === undefined ? "intro unknown" : "intro"}>
        <Intro />
      </p>
      <section class="cards" aria-label="Figures">
        <Card name="Height" hint="How many blocks were accepted">
          <a href={hrefOf("block", tip ?? 0)}>{tip === undefined ? "…" : grouped(tip)}</a>
          <small class="quiet">transactions in the latest blocks:</small>
          <Sparkline name="Transactions of the latest blocks" values={oldestFirst.map((block) => block.count)} />
        </Card>
        <Card name="Gas price" hint="What a unit of gas costs; a payment takes about 5,000">
          {gasPrice === undefined ? "…" : `${grouped(gasPrice)} nAVAX`}
          <small class="quiet">
            {gasPrice !== undefined && <>a payment costs about {avaxText(gasPrice * PAYMENT_GAS)} AVAX</>}
          </small>
          <Sparkline name="Gas price after the latest blocks, in nAVAX" values={numbersIn(oldestFirst, "gasPrice")} />
        </Card>
        <Card name="L1 validator fee" hint="What an active L1 validator pays for a second">
          {validatorPrice === undefined ? "…" : `${grouped(validatorPrice)} nAVAX/s`}
          <small class="quiet">
            {validatorPrice !== undefined && <>{avaxText(validatorPrice * MONTH)} AVAX a month for each validator</>}
          </small>
          <Sparkline
            name="L1 validator fee after the latest blocks, in nAVAX per second"
            values={numbersIn(oldestFirst, "validatorPrice")}
          />
        </Card>
        <Card name="Chain time" hint="The time of the last block">
          {time === undefined ? "…" : <Time at={time} />}
          <small class="quiet">{clockText(data?.status) || paceOf(recent)}</small>
        </Card>
        <Card name="Supply" hint="All AVAX that can exist now, with promised rewards">
          {data ? <Amount nanos={data.supply} /> : "…"}
          <small class="quiet">with the rewards that stakers were promised</small>
        </Card>
        <Card name="Staked" hint="What all validators of the primary network weigh, with delegations">
          {data ? <Amount nanos={data.stake} /> : "…"}
          <small class="quiet">{data && `${percent(data.stake, data.supply)} of the supply`}</small>
        </Card>
      </section>
      <div class="columns">
        <LatestBlocks recent={recent} />
        <LatestTxs recent={recent} />
      </div>
    </>
  )
}

/** Returns the known prices of blocks, for a plot. */
function numbersIn(recent: readonly BlockEvent[], price: "gasPrice" | "validatorPrice"): number[] {
  return recent.flatMap((block) => (block[price] === undefined ? [] : [Number(block[price])]))
}

/** A sentence about the chain. It takes its lines before the node has answered, so that nothing moves afterwards. */
function Intro() {
  const { hasLab, forkHeight, name } = network.use()
  if (hasLab === false)
    return <>The P-Chain keeps the validators, subnets and L1s of an Avalanche network. This page follows it live.</>
  if (forkHeight !== undefined)
    return (
      <>
        This is a private fork of the network {name}: blocks up to <a href={hrefOf("block", forkHeight)}>{grouped(forkHeight)}</a>{" "}
        are real, and later ones are your own. In the <a href={hrefOf("lab")}>Lab</a> you can send a payment and move time.
      </>
    )
  return (
    <>
      This is a private P-Chain of your own. In the <a href={hrefOf("lab")}>Lab</a> you can send a payment, add validators and
      move time.
    </>
  )
}

function Card({ name, hint, children }: { readonly name: string; readonly hint: string; readonly children: ComponentChildren }) {
  return (
    <div class="card" title={hint}>
      <h2>{name}</h2>
      <div class="figure">{children}</div>
    </div>
  )
}

function LatestBlocks({ recent }: { readonly recent: readonly BlockEvent[] }) {
  return (
    <section aria-label="Latest blocks">
      <h2>Latest blocks</h2>
      <ol class="list">
        {recent.slice(0, 12).map((block) => (
          <li key={block.id}>
            <a class="number" href={hrefOf("block", block.height)}>
              {grouped(block.height)}
            </a>
            <span class="block-kind">
              <span class="tag">{block.height === 0 ? "Genesis" : blockKind(block.kind)}</span>
            </span>
            <span>{contentText(block)}</span>
            <span class="quiet end">{block.time === undefined ? "" : <Time at={block.time} />}</span>
          </li>
        ))}
        {recent.length === 0 && <li class="quiet">Asking the node…</li>}
      </ol>
    </section>
  )
}

function LatestTxs({ recent }: { readonly recent: readonly BlockEvent[] }) {
  const txs = recent.flatMap((block) => block.txs).slice(0, 8)
  return (
    <section aria-label="Latest transactions">
      <h2>Latest transactions</h2>
      <ol class="list">
        {txs.map(({ txID, kind, status, time, effect }) => (
          <li key={txID}>
            <TxLabel txID={txID} kind={kind} status={status} />
            <span class="quiet end">{time !== undefined && <Time at={time} />}</span>
            <span class="effect">{visibleText(effect) || txKind(kind).does}</span>
          </li>
        ))}
        {txs.length === 0 && recent.length > 0 && <li class="quiet">None in the latest blocks.</li>}
      </ol>
    </section>
  )
}

/** A block of options has no transaction of its own; it decides the one that the block before proposes. */
function contentText({ kind, count, height: at }: BlockEvent): string {
  const name = blockKind(kind)
  if (at > 0 && (name === "Commit" || name === "Abort")) return `${name.toLowerCase()}s the proposal`
  return count === 1 ? "1 transaction" : `${count} transactions`
}

/** Says how far the clock of a private chain is ahead of the machine's. A pace of blocks would mean nothing after the clock was moved. */
function clockText(status: Status | undefined): string {
  const ahead = Number(status?.offset ?? 0)
  if (status?.frozen) return `the clock is stopped at ${localText(secondsOf(status.clock))}`
  return Math.abs(ahead) < MINUTE
    ? ""
    : `the clock is ${durationText(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} this machine`
}

/** Returns the average time between the recent blocks. Genesis may lie long before the first of them. */
function paceOf(recent: readonly BlockEvent[]): string {
  const times = recent.flatMap(({ time, height: at }) => (time === undefined || at === 0 ? [] : [secondsOf(time)]))
  const [newest, oldest] = [times[0], times.at(-1)]
  if (newest === undefined || oldest === undefined || times.length < 2) return ""
  if (newest - oldest < times.length - 1) return "several blocks a second lately"
  return `a block every ${durationText((newest - oldest) / (times.length - 1))} lately`
}

function percent(part: bigint, whole: bigint): string {
  return whole === 0n ? "0 %" : `${(Number((part * 10_000n) / whole) / 100).toFixed(2)} %`
}

/** A small plot of numbers over blocks as SVG. Drawn by hand: a plot library would be half of the page (docs/page.md). */
function Sparkline({ values, name }: { readonly values: readonly number[]; readonly name: string }) {
  const [width, height] = [160, 36]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (i: number): number => (values.length < 2 ? width : (i / (values.length - 1)) * width)
  const y = (value: number): number => (high === low ? height / 2 : height - 2 - ((value - low) / (high - low)) * (height - 4))
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`)
  const label = values.length === 0 ? `${name}: nothing yet` : `${name}: from ${low} to ${high}`
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <title>{label}</title>
      {points.length > 1 && <polygon points={`0,${height} ${points.join(" ")} ${width},${height}`} />}
      {points.length > 0 && <polyline points={points.length === 1 ? `0,${height / 2} ${points[0]}` : points.join(" ")} />}
    </svg>
  )
}
