// The program itself, in whatever runs TypeScript; what is installed is its bundle.
import pjson from '../package.json' with { type: 'json' }
import { asksForVersion, printVersion } from '../src/cli/program/version.ts'

if (asksForVersion(pjson, process.argv.slice(2))) void printVersion(pjson)
else void import('./program.ts').then(({ run }) => run())
