import { durationText, grouped, secondsOf, shortened, visibleText } from "../data/format.js"
import { network } from "../data/network.js"
import { hrefOf } from "../data/route.js"
import { platform, type ResultOf } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Answer, Title } from "../parts/states.js"
import { IdLink } from "../parts/values.js"

/** The ID of the primary network. */
export const PRIMARY = "11111111111111111111111111111111LpoYY"

type Subnet = NonNullable<ResultOf<"getSubnets">["subnets"]>[number]
/** A blockchain of a subnet. */
export type Blockchain = NonNullable<ResultOf<"getBlockchains">["blockchains"]>[number]
type ShortHealth = ResultOf<"getL1s">["l1s"][number]

async function askSubnets() {
  const [{ subnets }, { blockchains }, { l1s, timestamp }] = await Promise.all([
    platform("getSubnets"),
    platform("getBlockchains"),
    platform("getL1s"),
  ])
  const places = new Map(l1s.map((l1, i) => [l1.subnetID, { ...l1, place: i }]))
  const listed = (subnets ?? []).map((subnet) => ({ ...subnet, l1: places.get(subnet.id) }))
  // L1s come first, those with the least time left before the others.
  const sorted = listed.sort((a, b) => (a.l1?.place ?? l1s.length) - (b.l1?.place ?? l1s.length))
  return { subnets: sorted, blockchains: blockchains ?? [], now: secondsOf(timestamp) }
}

function kindOf({ id, controlKeys, l1 }: ListedSubnet): string {
  if (id === PRIMARY) return "Primary network"
  if (l1) return "L1"
  return (controlKeys ?? []).length > 0 ? "Permissioned" : "Open to stakers"
}

type ListedSubnet = Subnet & { readonly l1: ShortHealth | undefined }

function timeLeft({ verdict, haltsAt }: ShortHealth, now: number): string | undefined {
  if (verdict === "halted") return "halted"
  return haltsAt === null ? undefined : `halts in ${durationText(secondsOf(haltsAt) - now)}`
}

/** The validators of an L1, their weight, and the time when the first of them runs out. */
function validatorsText({ validators, activeValidators, totalWeight, firstEndsAt }: ShortHealth, now: number): string {
  const active = activeValidators === validators ? "" : `, ${grouped(activeValidators)} of them active`
  const ends = firstEndsAt === null ? "" : `; the first balance runs out in ${durationText(secondsOf(firstEndsAt) - now)}`
  return `${validators === "1" ? "1 validator" : `${grouped(validators)} validators`}${active}, total weight ${grouped(totalWeight)}${ends}`
}

/** All subnets and L1s with their blockchains. */
export function SubnetsView() {
  const query = useQuery("subnets", askSubnets, { pause: 2000 })
  const { hasLab } = network.use()
  return (
    <>
      <Title>Subnets and L1s</Title>
      <p>
        A subnet is a group of validators with blockchains of its own. An L1 is a subnet that a contract of its own manages; its
        validators pay a fee for every second.
      </p>
      {hasLab && (
        <p>
          <a class="button" href={hrefOf("lab", "createL1")}>
            Create an L1
          </a>
        </p>
      )}
      <Answer query={query}>
        {({ subnets, blockchains, now }) => (
          <section class="sheet" aria-label="Subnets">
            <ol class="list">
              {subnets.map((subnet) => (
                <SubnetRow
                  key={subnet.id}
                  subnet={subnet}
                  now={now}
                  chains={blockchains.filter(({ subnetID }) => subnetID === subnet.id)}
                />
              ))}
            </ol>
          </section>
        )}
      </Answer>
    </>
  )
}

function SubnetRow({
  subnet,
  now,
  chains,
}: {
  readonly subnet: ListedSubnet
  readonly now: number
  readonly chains: readonly Blockchain[]
}) {
  const { id, l1 } = subnet
  const left = l1 && timeLeft(l1, now)
  return (
    <li>
      <span class="kind">{kindOf(subnet)}</span>
      <IdLink view="subnet" id={id} text={shortened(id, 14, 6)} />
      <span class="quiet">
        {chains.length === 0 ? "no blockchains" : chains.length === 1 ? "blockchain " : "blockchains "}
        {chains.map((chain, i) => (
          <span key={chain.id} class="name" title={chain.id}>
            {i > 0 && ", "}“{visibleText(chain.name)}”
          </span>
        ))}
      </span>
      {left !== undefined && <span class="bad end">{left}</span>}
      {l1 && <span class="effect">{validatorsText(l1, now)}</span>}
    </li>
  )
}
