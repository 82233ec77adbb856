import { runAndWriteCodeCache } from '../bin/run-bundle.js'

runAndWriteCodeCache()
