// The program, for runtimes that run TypeScript. Users install its bundle.
import '../src/cli/program/no-debugger.ts'
import pjson from '../package.json' with { type: 'json' }
import { asksForVersion, printVersion } from '../src/cli/program/version.ts'

if (asksForVersion(pjson, process.argv.slice(2))) void printVersion(pjson)
else void import('./program.ts').then(({ run }) => run())
