import type { Connection } from './connection.ts'
import type { Control } from './control-file.ts'
import { findInstance, requireInstance } from './identify.ts'
import { createRemoteConnection, type Peer } from './remote-connection.ts'

/** Fails when it is not there. */
export async function reachNamed(peer: Peer): Promise<Connection> {
  await requireInstance(peer)
  return createRemoteConnection(peer)
}

type Bounds = Pick<Peer, 'environment' | 'timeoutMs'>

/** undefined when it is not there: after a crash, other processes may have got the same id and the same port. */
export async function reachRunning(
  control: Control,
  bounds: Bounds,
): Promise<Connection | undefined> {
  const instanceId = await findInstance(control)
  if (instanceId === undefined || instanceId !== control.instanceId) return undefined
  return createRemoteConnection({ ...control, ...bounds })
}
