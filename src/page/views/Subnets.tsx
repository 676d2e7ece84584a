import { hrefOf } from "../data/route.js"
import { platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Answer, Title } from "../parts/states.js"
import { IdLink } from "../parts/values.js"

/** The ID of the primary network. */
export const PRIMARY = "11111111111111111111111111111111LpoYY"

interface Subnet {
  readonly id: string
  readonly controlKeys: readonly string[] | null
  readonly owner?: object
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
  return { subnets: subnets ?? [], blockchains: blockchains ?? [] }
}

/** All subnets and L1s with their blockchains. */
export function SubnetsView() {
  const query = useQuery("subnets", askSubnets, { pause: 2000 })
  return (
    <>
      <Title>Subnets and L1s</Title>
      <Answer query={query}>
        {({ subnets, blockchains }) => (
          <ol class="list sheet">
            {subnets.map((subnet) => (
              <SubnetRow key={subnet.id} subnet={subnet} chains={blockchains.filter(({ subnetID }) => subnetID === subnet.id)} />
            ))}
          </ol>
        )}
      </Answer>
    </>
  )
}

function SubnetRow({ subnet, chains }: { readonly subnet: Subnet; readonly chains: readonly Blockchain[] }) {
  const { id, controlKeys, owner } = subnet
  const kind =
    id === PRIMARY ? "Primary network" : owner !== undefined || (controlKeys ?? []).length === 0 ? "L1 or open" : "Permissioned"
  return (
    <li>
      <IdLink view="subnet" id={id} />
      <span class="tag">{kind}</span>
      {chains.length === 0 ? (
        <span class="quiet">no blockchains</span>
      ) : (
        chains.map((chain) => (
          <a key={chain.id} href={hrefOf("subnet", id)} title={chain.id}>
            {chain.name}
          </a>
        ))
      )}
    </li>
  )
}
