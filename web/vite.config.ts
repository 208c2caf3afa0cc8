import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { apiPage } from './build/api-page.ts'
import { chunkList } from './build/chunk-list.ts'
import { contractRoutes } from './build/contract-routes.ts'
import { faultsPlugin } from './build/faults.ts'
import { firstChunk, pageChunk } from './build/page-chunks.ts'
import { precompress } from './build/precompress.ts'
import { siteHead } from './build/site-head.ts'

const server = process.env['PENNANT_SERVER'] ?? 'http://127.0.0.1:3000'
const contract = fileURLToPath(new URL('../contract/src/', import.meta.url))

/** Modules that are loaded together: one request instead of one for each. */
const TOGETHER: Readonly<Record<string, RegExp>> = {
  // The frame of organisers needs all of them: one request instead of four.
  'organiser-list':
    /\/web\/src\/(?:organisers\/(?:bulk\.tsx|run-many\.ts|list\.module\.css)|text\/en\/organiser-list\.ts)$/,
  // What registration says of pages that must be accepted.
  'accepted-pages': /\/web\/src\/(?:state\/agreed|text\/en\/pages)\.ts$/,
  // Who of a team did what, for the own profile and organisers.
  people: /\/web\/src\/(?:account\/activity\.tsx|text\/en\/people\.ts)$|contract:people\.ts$/,
  // Needed together where organisers ask for more, and nowhere else.
  fields:
    /\/(?:account\/(?:answer-fields|country-field|eligibility-list)|api\/fields|text\/en\/fields)\.tsx?$|\/contract\/src\/(?:countries|custom-field-values|eligibility)\.ts$|contract:custom-fields\.ts$/,
  plots: /\/web\/src\/ui\/plots\/|\/node_modules\/uplot\//,
}

export default defineConfig(({ command }) => {
  // The caller can be a test run, but React's development build is slow, and renders and requests twice.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    plugins: [
      faultsPlugin(),
      contractRoutes(contract),
      react(),
      siteHead(),
      chunkList(),
      apiPage(),
      precompress(),
    ],
    resolve: { dedupe: ['react', 'react-dom'] },
    build: {
      outDir: 'dist',
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: {
          codeSplitting: {
            groups: [
              { name: firstChunk, debugName: 'site', priority: 2 },
              // Loaded at the same moment by every page of a signed-in team: one request instead of ten.
              {
                name: 'live-data',
                test: /\/web\/src\/(?:api\/stream|layout\/(?:announcement-list|next-wave))\//,
                priority: 1,
              },
              ...Object.entries(TOGETHER).map(([name, test]) => ({
                name,
                test,
                priority: 1,
                includeDependenciesRecursively: false,
              })),
              { name: pageChunk, debugName: 'pages', includeDependenciesRecursively: false },
            ],
          },
        },
      },
      // The page's Content Security Policy does not allow inline assets.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1024,
    },
    worker: { format: 'es' },
    server: { proxy: { '/api': server, '/uploads': server } },
  }
})
