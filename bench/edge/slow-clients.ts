import { connect, type Socket } from 'node:net'

const each = 25
const dripMs = 500
/** After this time, a client that is still connected counts as not cut off. */
const maximumSeconds = 90

const [head, form] = [
  'GET /v1/cooperatives HTTP/1.1\r\nHost: x\r\n',
  'POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9999\r\n\r\ngrant',
]

/**
 * For each kind, the bytes that a client sends first and the bytes that it sends every half second.
 */
const kinds = [
  { kind: 'stalls in its headers', begun: head, drip: '' },
  { kind: 'stalls in its body', begun: form, drip: '' },
  { kind: 'drips a header', begun: head, drip: 'X-Slow: 1\r\n' },
  { kind: 'drips bytes of a header', begun: `${head}X-Slow: `, drip: '1' },
  { kind: 'drips bytes of its body', begun: form, drip: '_' },
] as const

interface Slow {
  readonly kind: string
  readonly isConnected: boolean
  /** null if the service did not close the connection. */
  readonly cutOffAfterSeconds: number | null
}

/** Opens connections of clients that never finish their requests. */
export function holdConnections(origin: string): Promise<readonly Slow[]> {
  return Promise.all(
    kinds.flatMap((kind) => Array.from({ length: each }, () => hold(origin, kind))),
  )
}

function hold(origin: string, { kind, begun, drip }: (typeof kinds)[number]): Promise<Slow> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  let connectedAt: number | undefined
  return new Promise((resolve) => {
    const end = (isCutOff: boolean) => {
      clearInterval(dripping)
      clearTimeout(deadline)
      socket.destroy()
      const seconds = (performance.now() - (connectedAt ?? 0)) / 1000
      const isConnected = connectedAt !== undefined
      resolve({ kind, isConnected, cutOffAfterSeconds: isCutOff && isConnected ? seconds : null })
    }
    const dripping = setInterval(() => write(socket, drip), dripMs)
    const deadline = setTimeout(() => end(false), maximumSeconds * 1000)
    socket.on('error', () => {}).resume()
    // Reads to the end, because the service may answer before it closes the connection.
    socket.on('close', () => end(true))
    socket.on('connect', () => {
      connectedAt = performance.now()
      socket.write(begun)
    })
  })
}

function write(socket: Socket, text: string): void {
  if (text !== '' && socket.writable && !socket.connecting) socket.write(text)
}

export function describeSlow(all: readonly Slow[]): readonly string[] {
  return kinds.map(({ kind }) => {
    const some = all.filter((slow) => slow.kind === kind)
    const after = some.flatMap(({ cutOffAfterSeconds }) => cutOffAfterSeconds ?? [])
    const [shortest, longest] = [Math.min(...after), Math.max(...after)]
    const when =
      after.length === 0 ? '' : ` after ${shortest.toFixed(0)} to ${longest.toFixed(0)} s`
    return `${some.length} clients, each ${kind}: ${after.length} cut off${when}`
  })
}

export function faultsOfSlow(all: readonly Slow[]): readonly string[] {
  const refused = all.filter(({ isConnected }) => !isConnected).length
  const suffered = all.filter((slow) => slow.isConnected && slow.cutOffAfterSeconds === null).length
  return [
    ...(refused > 0 ? [`${refused} slow clients could not connect`] : []),
    ...(suffered > 0 ? [`${suffered} slow clients were not cut off in ${maximumSeconds} s`] : []),
  ]
}
