// Import this before the package `undici`. Whichever is loaded first, that package or Node's own copy behind `fetch`, decides
// how `fetch` connects; with the package, `fetch` of Node 20 refuses uploads with a `content-length` of 0.
if (typeof globalThis.Response !== 'function') throw new Error('This version of Node has no fetch.')
