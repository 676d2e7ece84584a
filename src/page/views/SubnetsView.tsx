import { shortened, visibleText } from "../data/format.js"
import { platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Answer, Title } from "../parts/states.js"
import { IdLink } from "../parts/values.js"

/** The ID of the primary network. */
export const PRIMARY = "11111111111111111111111111111111LpoYY"

interface Subnet {
  readonly id: string
  readonly controlKeys: readonly string[] | null
}

/** A blockchain of a subnet. */
export interface Blockchain {
  readonly id: string
  readonly name: string
  readonly subnetID: string
  readonly vmID: string
}

async function askSubnets() {
  const [{ subnets }, { blockchains }] = await Promise.all([
    platform<{ subnets: readonly Subnet[] | null }>("getSubnets"),
    platform<{ blockchains: readonly Blockchain[] | null }>("getBlockchains"),
  ])
  const named = await Promise.all((subnets ?? []).map(async (subnet) => ({ ...subnet, kind: await kindOf(subnet) })))
  return { subnets: named, blockchains: blockchains ?? [] }
}

/** A subnet without control keys is an L1 or open to stakers; only `getSubnet` says which. */
async function kindOf({ id, controlKeys }: Subnet): Promise<string> {
  if (id === PRIMARY) return "Primary network"
  if ((controlKeys ?? []).length > 0) return "Permissioned"
  const { conversionID } = await platform<{ conversionID: string }>("getSubnet", { subnetID: id })
  return conversionID === PRIMARY ? "Open to stakers" : "L1"
}

/** All subnets and L1s with their blockchains. */
export function SubnetsView() {
  const query = useQuery("subnets", askSubnets, { pause: 2000 })
  return (
    <>
      <Title>Subnets and L1s</Title>
      <p>
        A subnet is a group of validators with blockchains of its own. An L1 is a subnet that a contract of its own manages; its
        validators pay a fee for every second.
      </p>
      <Answer query={query}>
        {({ subnets, blockchains }) => (
          <section class="sheet" aria-label="Subnets">
            <ol class="list">
              {subnets.map((subnet) => (
                <SubnetRow
                  key={subnet.id}
                  subnet={subnet}
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
  chains,
}: {
  readonly subnet: Subnet & { readonly kind: string }
  readonly chains: readonly Blockchain[]
}) {
  const { id } = subnet
  return (
    <li>
      <span class="kind">{subnet.kind}</span>
      <IdLink view="subnet" id={id} text={shortened(id, 14, 6)} />
      <span class="quiet end">
        {chains.length === 0 ? "no blockchains" : chains.length === 1 ? "blockchain " : "blockchains "}
        {chains.map((chain, i) => (
          <span key={chain.id} class="name" title={chain.id}>
            {i > 0 && ", "}
            {visibleText(chain.name)}
          </span>
        ))}
      </span>
    </li>
  )
}
