// A thread of bench/stalls/watch.ts.
import { setTimeout as pause } from 'node:timers/promises'
import { workerData as origin, parentPort } from 'node:worker_threads'
import { Client } from 'undici'

const everyMs = 4
const waits = { livezMs: 0, readyzMs: 0, unready: 0 }
let isOver = false

async function ask(path, name) {
  const client = new Client(origin, { headersTimeout: 0, bodyTimeout: 0 })
  // A service that was held up closes idle connections when it continues.
  const get = () => client.request({ path, method: 'GET' }).catch(get)
  const once = async () => {
    const startedAt = performance.now()
    const { statusCode, body } = await get()
    await body.text()
    return { statusCode, ms: performance.now() - startedAt }
  }
  await once()
  return async () => {
    while (!isOver) {
      const { statusCode, ms } = await once()
      waits[name] = Math.max(waits[name], ms)
      if (path === '/readyz' && statusCode !== 200) waits.unready += 1
      await pause(everyMs)
    }
    await client.close()
  }
}

const asking = await Promise.all([ask('/livez', 'livezMs'), ask('/readyz', 'readyzMs')])
const ended = Promise.all(asking.map((each) => each()))
parentPort.on('message', async () => {
  isOver = true
  await ended
  parentPort.postMessage(waits)
  parentPort.close()
})
parentPort.postMessage('ready')
