// The entry of the executable. It does the same as run-bundle.js, with the files in the executable.
const { getRawAsset } = require('node:sea')
const { Script } = require('node:vm')

const read = (name) => Buffer.from(getRawAsset(name))

const source = read('program').latin1Slice()
// Commands have less compiled code than a service, because reading all of it takes longer than most
// commands.
const cachedData = read(process.argv[2] === 'serve' ? 'code-of-serve' : 'code-of-commands')
const script = new Script(source, { filename: 'coopshare.cjs', cachedData })
script.runInThisContext()({}, require, { exports: {} }, __filename, __dirname)
