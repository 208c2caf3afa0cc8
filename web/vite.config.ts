import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractRoutes } from './build/contract-routes.ts'
import { precompress } from './build/precompress.ts'
import { siteHead } from './build/site-head.ts'

const server = process.env['PENNANT_SERVER'] ?? 'http://127.0.0.1:3000'
const contract = fileURLToPath(new URL('../contract/src/', import.meta.url))

export default defineConfig(({ mode }) => ({
  plugins: [contractRoutes(contract), react(), siteHead(), precompress()],
  resolve: { dedupe: ['react', 'react-dom', '@mantine/core', '@mantine/hooks'] },
  build: {
    outDir: mode === 'mock' ? 'dist-mock' : 'dist',
    target: 'es2022',
    modulePreload: { polyfill: false },
    // What the first page needs is one file: each more costs a slow phone a request before anything moves.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'site', tags: ['$initial'] }] } } },
    // The page's policy admits no script or style from within itself.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1024,
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': server, '/uploads': server } },
}))
