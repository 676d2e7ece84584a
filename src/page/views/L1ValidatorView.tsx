import { durationText } from "../data/format.js"
import { type Json, platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { JsonTree } from "../parts/JsonTree.js"
import { Answer, Title } from "../parts/states.js"

async function ask(validationID: string) {
  const [validator, { price }] = await Promise.all([
    platform<{ readonly [key: string]: Json }>("getL1Validator", { validationID }),
    platform<{ price: number | bigint }>("getValidatorFeeState"),
  ])
  return { validator, seconds: Number(BigInt(String(validator.balance)) / (BigInt(price) || 1n)) }
}

/** A validator of an L1 by its validation ID. */
export function L1ValidatorView({ argument: validationID }: { readonly argument: string }) {
  const query = useQuery(`l1 ${validationID}`, () => ask(validationID))
  return (
    <>
      <Title>L1 validator</Title>
      <Answer query={query}>
        {({ validator, seconds }) => (
          <section class="sheet">
            <p>
              {seconds === 0
                ? "It is inactive: its balance is used up."
                : `Its balance lasts for ${durationText(seconds)} at the fee of now.`}
            </p>
            <JsonTree value={validator} />
          </section>
        )}
      </Answer>
    </>
  )
}
