// node run-and-write-code-cache.js BUNDLE CODE-CACHE NAME ARGUMENT…: writes the cache when the
// program ends, with the code that it has used until then. NAME is its name in stacks.
import { writeFileSync } from 'node:fs'
import { runScript } from '../../bin/run-bundle.js'

const [bundle, codeCache, name] = process.argv.splice(2, 3)
const script = runScript(bundle, undefined, name)
process.on('exit', () => writeFileSync(codeCache, script.createCachedData()))
