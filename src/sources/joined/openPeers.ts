import { sign } from "node:crypto"
import { appendFileSync } from "node:fs"
import type { Log } from "../../core/lib/log.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { scheduledACPs } from "../../core/networks/acps.js"
import { isProduction } from "../../core/networks/names.js"
import { type UpgradeName, upgradeNames } from "../../core/networks/upgrades.js"
import { BootstrapperLog } from "../../core/p2p/bootstrapperLog.js"
import { ANNOUNCED_VERSION } from "../../core/p2p/clientVersion.js"
import { Peers } from "../../core/p2p/peers.js"
import type { PeersPort } from "../../core/p2p/peersPort.js"
import { signIp } from "../../core/p2p/signedIp.js"
import { announcedTime } from "../../core/p2p/upgradeTimes.js"
import { nodeIDText } from "../../core/types/id.js"
import { PeerSockets } from "../../network/peerSockets.js"
import { loadZstd } from "../../network/zstd.js"
import { bls } from "../../platform/backends.js"
import { isReadByTls } from "../../platform/certificate.js"
import type { StakingCertificate } from "../../platform/stakingCertificate.js"
import { type JoinedChainOptions, systemRandom } from "./joinOptions.js"

/** Callbacks and clock of the peer protocol. */
export interface PeersUser extends Omit<PeersPort, "write" | "close" | "dial"> {
  /** Returns Unix milliseconds of a monotonic clock. */
  now(): number
  /** Called when bytes have arrived, because messages may wait to be handled. */
  onReceived(): void
}

/** The connections of a node to its peers, and the address that is announced to them. */
export type OpenedPeers = Awaited<ReturnType<typeof openPeers>>

/** Listens for peers, and prepares the protocol with them. Nothing is dialed before the first tick. */
export async function openPeers(options: JoinedChainOptions, user: PeersUser) {
  const { identity, log, wall, publicIp, network } = options
  const { staking } = identity
  if (!staking) throw new Error("a node that joins a network has a certificate of its own")
  const bootstrapperLog = new BootstrapperLog(options.bootstrappers, log)
  const [compression] = await Promise.all([loadZstd(), bls().preparePossession()])
  const sockets = socketsOf(staking, options, { ...user, bootstrapperLog })
  const bound = await sockets.listen(options.host, options.port)
  const address = { ip: publicIp.ip, port: publicIp.port === 0 ? bound : publicIp.port }
  const unixSeconds = () => wholeSeconds(wall())
  const signTls = (message: Uint8Array) => new Uint8Array(sign("sha256", message, staking.key))
  const signedIp = signIp({ ...address, timestamp: unixSeconds() }, { signTls, blsSecret: identity.secret, bls: bls() })
  const { rules } = options.data
  const peers = new Peers(
    {
      crypto: rules.crypto,
      nodeID: identity.nodeID,
      introduction: {
        networkID: rules.networkID,
        version: ANNOUNCED_VERSION,
        upgradeTime: announcedTime(rules.upgrades, upgradeNames.at(-1) as UpgradeName),
        acps: { ...network.acps, supported: [...new Set([...scheduledACPs, ...network.acps.supported])] },
        trackedSubnets: [],
      },
      upgrades: rules.upgrades,
      bootstrappers: options.bootstrappers,
      dialsPrivate: options.dialsPrivate || !isProduction(rules.networkID),
      compression,
      compresses: network.compresses,
      settings: network.peers,
      random: systemRandom,
      canConnect: isReadByTls,
      signedIp: () => signedIp,
      unixSeconds,
      stopwatch: () => performance.now(),
    },
    {
      ...user,
      connected(nodeID) {
        bootstrapperLog.connected(nodeID)
        user.connected(nodeID)
      },
      write: (id, frame) => sockets.write(id, frame),
      close: (id, reason) => sockets.close(id, reason),
      dial: (nodeID, to) => sockets.dial(nodeID, to),
    },
  )
  sockets.attach(peers)
  log.info("joining the network", {
    peerPort: bound,
    nodeID: nodeIDText(identity.nodeID),
    bootstrappers: options.bootstrappers.length,
  })
  return { peers, sockets, address }
}

/** Opens the sockets of a node. The reasons for which connections end are logged. */
function socketsOf(
  { certificate, key }: StakingCertificate,
  { log, network, reportFault }: JoinedChainOptions,
  { now, onReceived, bootstrapperLog }: PeersUser & { readonly bootstrapperLog: BootstrapperLog },
): PeerSockets {
  return new PeerSockets({
    certificate,
    key,
    settings: network.sockets,
    now,
    onReceived,
    onSecrets: secretsWriter(network.secretsFile, log),
    onFault: (error) => reportFault(error, "new connection to a peer"),
    onClosed(nodeID, reason, broken) {
      log.debug("connection ended", { nodeID: nodeID ? nodeIDText(nodeID) : "unknown", reason })
      if (!nodeID) return
      if (broken) bootstrapperLog.failed(nodeID, broken.message)
      else bootstrapperLog.closedByPeer(nodeID)
    },
    onDialFailed: (nodeID, reason) => bootstrapperLog.failed(nodeID, reason),
  })
}

/** Appends the secrets of connections to a file, so that a program such as Wireshark can decipher them. */
function secretsWriter(file: string | undefined, log: Log): ((line: Uint8Array) => void) | undefined {
  if (file === undefined) return undefined
  return (line) => {
    try {
      appendFileSync(file, line, { mode: 0o600 })
    } catch (error) {
      log.warn("the secrets of a connection cannot be written", { file, reason: (error as Error).message })
    }
  }
}
