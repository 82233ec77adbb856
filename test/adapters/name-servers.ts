import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..', '..')
const apart = ['--net', '--mount', '--map-root-user', 'sh', '-ec']
const enter = 'ip link set lo up; mount --bind "$1" /etc/resolv.conf; mount --bind "$2" /etc/hosts'
const canEnter = spawnSync('unshare', [...apart, enter, 'sh', '/dev/null', '/dev/null'])
const skip = canEnter.status !== 0 && 'it needs unshare(1) and ip(8), and permission to use them'

/** Runs the scenarios in a network of its own, in which they are the name server. */
function runScenarios(resolvConf: string, hosts: string) {
  const program = join(root, 'fixtures', 'servers', 'name-scenarios.ts')
  const argv = [resolvConf, hosts, process.execPath, '--import=tsx', program]
  const words = [...apart, `${enter}; shift 2; exec "$@"`, 'sh', ...argv]
  const { stdout, stderr } = spawnSync('unshare', words, { cwd: root, encoding: 'utf8' })
  return stdout === '' ? stderr : JSON.parse(stdout)
}

t.test(
  'a name server that does not answer delays only its own names, however many they are [D35]',
  { skip },
  async (t) => {
    const directory = t.testdir({
      'resolv.conf': 'nameserver 127.0.0.1\nsearch internal.example .\noptions timeout:5 ndots:2\n',
      hosts: '127.0.0.1 localhost Listed.example # healthy.example\n',
    })
    const result = runScenarios(join(directory, 'resolv.conf'), join(directory, 'hosts'))
    t.strictSame(result, {
      outcomes: {
        'beside the dead': '127.0.0.1',
        'ipv6.example': '::1',
        'half-broken.example': '127.0.0.1',
        // This network has no way out, so the fault is ours.
        'broken.example': 'ours',
        'refused.example': 'ours',
        'unknown.example': 'dns',
        'listed.example': '127.0.0.1',
        receiver: '127.0.0.1',
        'receiver.staging': '127.0.0.1',
        localhost: '127.0.0.1',
        'alias.example': 'The name has no address.',
        'private.example': 'refused_address',
        dead: ['timeout'],
      },
      // Once for each kind of address.
      timesAsked: 2,
      // A webhook, a command, an e-mail and a database: none sends the dot at the end of the name (RFC 6066 3).
      named: Array.from({ length: 4 }, () => 'secure.example'),
    })
  },
)
