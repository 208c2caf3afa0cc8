#!/usr/bin/env node
// The command line in a checkout: builds what is missing first, as the scripts of the root manifest do.
process.argv.splice(2, 0, 'pennant')
await import('../../tools/run.mjs')
