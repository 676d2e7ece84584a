import { canonicalSet, validatorSetAt } from "../../../core/rules/validatorSet.js"
import { signersOf } from "../../../core/rules/warp.js"
import { decodeSignedMessage } from "../../../core/types/warp/message.js"
import type { FundedKey, L1Hosting } from "../../../producer/l1Hosting.js"
import { signAt } from "../../../producer/methods/signWarpMessage.js"
import { vmError } from "../../../vmhost/errors.js"
import { RELAYER } from "../developerChain.js"
import type { HostedL1s, HostedParts, L1HostOptions } from "../l1Parts.js"
import type { SignedRelay } from "./deliver.js"
import { Relayer } from "./relayer.js"
import type { SentMessage } from "./relayLedger.js"

/** Makes the relayer of the L1s of a node. `fundedKeys` returns the known keys that the genesis of an L1 funds. */
export function openRelayer(
  host: Pick<HostedL1s, "hosted"> & Pick<L1Hosting, "requireSigned">,
  { privateChain, hasAutoRelay: isAutomatic, log, reportFault: onFault }: L1HostOptions,
  fundedKeys: (l1: HostedParts) => readonly FundedKey[],
): Relayer {
  return new Relayer({
    ...{ l1s: host, isAutomatic, log, onFault },
    // A genesis of the user may not fund the relayer. The last of the known keys is used least by others.
    keysFor: (l1) => [RELAYER, ...fundedKeys(l1).toReversed()],
    async sign({ bytes, sourceChainID }: SentMessage, { chain }: HostedParts): Promise<SignedRelay> {
      const source = host.hosted.find(({ record }) => record.chainID === sourceChainID)
      if (!source) throw vmError("vm.unknown_l1", { chainID: sourceChainID })
      await host.requireSigned(sourceChainID, bytes, new Uint8Array(0))
      const pChainHeight = chain.contextHeight()
      if (pChainHeight === undefined) throw vmError("vm.first_block")
      const signedMessage = signAt(privateChain, { message: bytes, pChainHeight })
      const members = validatorSetAt(privateChain.status.view, source.record.subnetID, pChainHeight)
      const set = canonicalSet(members)
      const signers = signersOf(decodeSignedMessage(signedMessage).signature.signers, set)
        .flatMap(({ nodeIDs }) => nodeIDs)
        .map((nodeID) => ({ nodeID, weight: members.get(nodeID)?.weight ?? 0n }))
      return { signedMessage, signers, totalWeight: set.totalWeight }
    },
  })
}
