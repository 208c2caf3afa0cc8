/** What most players' pages use, as listed in `web/build/manifest.ts`. */
declare module 'virtual:common'
