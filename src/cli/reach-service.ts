import { Problem } from '../domain/problem.ts'
import { startChallenges } from './challenges.ts'
import type { Connection } from './connection.ts'
import type { Control } from './control-file.ts'
import { requireChallenge } from './identify.ts'
import { createRemoteConnection, type Peer } from './remote-connection.ts'

/** Fails when it is not there. */
export async function reachNamed(peer: Peer): Promise<Connection> {
  const challenges = startChallenges(() => requireChallenge(peer))
  await challenges.current()
  return createRemoteConnection(peer, challenges)
}

type Bounds = Pick<Peer, 'environment' | 'timeoutMs'>

/** undefined when it is not there: after a crash, other processes may have got the same id and the same port. */
export async function reachRunning(
  control: Control,
  bounds: Bounds,
): Promise<Connection | undefined> {
  const challenges = startChallenges(async () => {
    const challenge = await requireChallenge(control)
    if (challenge.instanceId !== control.instanceId) throw startedAgain(control)
    return challenge
  })
  const isThere = await challenges.current().catch(() => undefined)
  return isThere && createRemoteConnection({ ...control, ...bounds }, challenges)
}

function startedAgain({ url }: Control): Problem {
  return new Problem('SERVICE_UNAVAILABLE', `The service at ${url} was started again. Try again.`)
}
