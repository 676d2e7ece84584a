import { HOUR, SECOND } from "../lib/go/goDuration.js"
import type { ID } from "../types/id.js"
import { local } from "./local.js"
import { MAINNET_ID } from "./names.js"
import type { Network } from "./network.js"

/** Mainnet, network 1. All other values are those of the local network. */
export const mainnet: Network = {
  genesisID: "3e6662fdbd88bcf4c7dd82cb4699c0807f1d7315d493bc38532697e11b226276" as ID,
  upgrades: {
    times: {
      apricotPhase1: 1_617_199_200n, // 2021-03-31T14:00:00Z
      apricotPhase2: 1_620_644_400n, // 2021-05-10T11:00:00Z
      apricotPhase3: 1_629_813_600n, // 2021-08-24T14:00:00Z
      apricotPhase4: 1_632_344_400n, // 2021-09-22T21:00:00Z
      apricotPhase5: 1_638_468_000n, // 2021-12-02T18:00:00Z
      apricotPhasePre6: 1_662_341_400n, // 2022-09-05T01:30:00Z
      apricotPhase6: 1_662_494_400n, // 2022-09-06T20:00:00Z
      apricotPhasePost6: 1_662_519_600n, // 2022-09-07T03:00:00Z
      banff: 1_666_108_800n, // 2022-10-18T16:00:00Z
      cortina: 1_682_434_800n, // 2023-04-25T15:00:00Z
      durango: 1_709_740_800n, // 2024-03-06T16:00:00Z
      etna: 1_734_368_400n, // 2024-12-16T17:00:00Z
      fortuna: 1_744_124_400n, // 2025-04-08T15:00:00Z
      granite: 1_763_568_000n, // 2025-11-19T16:00:00Z
      helicon: 1_790_089_200n, // 2026-09-22T15:00:00Z
    },
    apricotPhase4MinPChainHeight: 793_005n,
    cortinaXChainStopVertexID: "614b7db7eb04b0263b7434ed9c1db297196025631040409df717df7f26625e95" as ID,
    graniteEpochDuration: 300n * SECOND,
  },
  params: {
    ...local.params,
    networkID: MAINNET_ID,
    staking: {
      ...local.params.staking,
      minStakeDuration: 14n * 86_400n,
      heliconMinStakeNanoseconds: 48n * HOUR,
    },
    // The price doubles every day at full capacity.
    validatorFee: { capacity: 20_000n, target: 10_000n, minPrice: 512n, excessConversionConstant: 1_246_488_515n },
    createAssetTxFee: 10_000_000n,
  },
}
