// node run-and-write-code-cache.js BUNDLE CODE-CACHE ARGUMENT…: writes the cache when the program ends, with what it has used until then.
import { writeFileSync } from 'node:fs'
import { runScript } from '../bin/run-bundle.js'

const [bundle, codeCache] = process.argv.splice(2, 2)
const script = runScript(bundle)
process.on('exit', () => writeFileSync(codeCache, script.createCachedData()))
