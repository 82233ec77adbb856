import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..', '..')

t.test(
  'the npm package holds the program and nothing else, and runs without any packages',
  async (t) => {
    const directory = t.testdir({ elsewhere: {} })
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', directory]
    const told = execFileSync('npm', pack, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [{ filename, files }] = JSON.parse(told)
    const paths: string[] = files.map(({ path }: { path: string }) => path)
    t.strictSame(
      paths.filter((path) => !path.startsWith('fixtures/img/')),
      [
        'LICENSE',
        'README.md',
        'bin/run-bundle.js',
        'bin/run.js',
        'dist/coopshare.cjs',
        'dist/coopshare.cjs.LEGAL.txt',
        'fixtures/demo.yaml',
        'package.json',
      ],
    )
    execFileSync('tar', ['-xzf', join(directory, filename), '-C', directory])
    const argv = [join(directory, 'package', 'bin', 'run.js'), 'contract', 'export', 'contract']
    const elsewhere = join(directory, 'elsewhere')
    execFileSync(process.execPath, argv, { cwd: elsewhere, env: { HOME: directory } })
    t.ok(readdirSync(join(elsewhere, 'contract')).includes('openapi.yaml'))
  },
)
