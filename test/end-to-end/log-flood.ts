import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { serve } from '../../fixtures/program/serve.ts'

interface Line {
  readonly msg: string
  readonly time: string
  readonly leftOut?: number
}

t.test(
  'a flood writes at most 200 log lines a second, and the log counts the others',
  async (t) => {
    const { base_url, stop } = await serve(t, ['--data-dir', t.testdir()])
    const flood = 3000
    const request = 'GET /none HTTP/1.1\r\nHost: a\r\n\r\n'
    for (let sent = 0; sent < flood; sent += 50) {
      const socket = connect(Number(new URL(base_url).port), '127.0.0.1')
      socket.write(`${request.repeat(49)}${request.replace('Host', 'Connection: close\r\nHost')}`)
      await once(socket.resume(), 'end')
    }
    const { stderr } = await stop()
    const lines: Line[] = stderr
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    for (const second of new Set(lines.map(({ time }) => time.slice(0, 19)))) {
      const { length } = lines.filter(({ time }) => time.startsWith(second))
      t.ok(length <= 200, `${length} lines`)
    }
    const leftOut = lines.reduce((sum, line) => sum + (line.leftOut ?? 0), 0)
    t.ok(leftOut > 0)
    t.equal(lines.filter(({ msg }) => msg === 'answered').length + leftOut, flood)
    t.ok(
      lines.some(({ msg }) => msg === 'stopped'),
      'other lines are written',
    )
  },
)
