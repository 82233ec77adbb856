// node run-and-write-code-cache.js BUNDLE CODE-CACHE NAME ARGUMENT…: writes the cache when the program ends, with what it has used until then. Stacks call it NAME.
import { writeFileSync } from 'node:fs'
import { runScript } from '../../bin/run-bundle.js'

const [bundle, codeCache, name] = process.argv.splice(2, 3)
const script = runScript(bundle, undefined, name)
process.on('exit', () => writeFileSync(codeCache, script.createCachedData()))
