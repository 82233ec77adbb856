import { LRUCache } from 'lru-cache'
import { Agent } from 'undici'
import { type ConnectorOptions, createGuardedConnector } from './guarded-connector.ts'
import { ConnectError, OutgoingError } from './outgoing-error.ts'
import { resolveHost } from './public-address.ts'

export interface GuardedAgentOptions extends Partial<ConnectorOptions> {
  /** For the answer, once connected. */
  readonly readTimeoutMs?: number
}

/** Connections to addresses that others have given us, and what is known of them. */
export interface GuardedAgent {
  readonly dispatcher: Agent
  readonly allowPrivate: boolean
  readonly connectTimeoutMs: number
  readonly readTimeoutMs: number
  /** The one dialled last, by origin. */
  readonly addresses: LRUCache<string, string>
}

const rememberedAddresses = 1000

export function createGuardedAgent({
  allowPrivate = false,
  resolve = resolveHost,
  connectTimeoutMs = 5000,
  readTimeoutMs = 5000,
  ca,
}: GuardedAgentOptions): GuardedAgent {
  const addresses = new LRUCache<string, string>({ max: rememberedAddresses })
  const onDial = (origin: string, address: string) => addresses.set(origin, address)
  const dispatcher = new Agent({
    connect: createGuardedConnector({ allowPrivate, resolve, connectTimeoutMs, ca, onDial }),
    // undici looks at its timers every half second, so the read timeout has a timer of ours.
    headersTimeout: 0,
    bodyTimeout: readTimeoutMs,
  })
  return { dispatcher, allowPrivate, connectTimeoutMs, readTimeoutMs, addresses }
}

export function urlOf(text: string): URL {
  if (!URL.canParse(text)) throw new OutgoingError('refused', 'The address is not a valid one.')
  return new URL(text)
}

interface Called {
  readonly url: URL
  readonly trace: { address: string | null }
}

/** Refuses other schemes, notes the address that was dialled, and throws an OutgoingError. */
export async function exchangeWithin<Answer>(
  { allowPrivate, addresses }: GuardedAgent,
  { url, trace }: Called,
  exchange: () => Promise<Answer>,
): Promise<Answer> {
  const isAllowed = url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:')
  if (!isAllowed) throw new OutgoingError('refused', 'The address does not begin with https.')
  // With several connections to one origin, it is the latest one's: they hardly ever differ.
  const latest = () => addresses.get(url.origin) ?? null
  try {
    const answer = await exchange()
    trace.address = latest()
    return answer
  } catch (cause) {
    const error = asOutgoingError(cause)
    trace.address = error instanceof ConnectError ? error.address : latest()
    throw error
  }
}

function asOutgoingError(error: unknown): unknown {
  if (error instanceof OutgoingError) return error
  const { name, code } = error as { name?: string; code?: string }
  // The caller that aborts a request knows why it ended, and one that cannot be written was never sent.
  if (name === 'AbortError' || code === 'UND_ERR_INVALID_ARG') return error
  const isLate = name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code ?? '')
  return isLate
    ? new OutgoingError('timeout', 'The answer was not there in time.', error)
    : new OutgoingError('answer', 'What came back was no usable answer.', error)
}
