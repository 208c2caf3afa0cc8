import { renderToStaticMarkup } from 'react-dom/server'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { StatusNote, StatusLink } from './status-link.tsx'

// The language is a setting of the browser.
vi.mock('../text/messages.ts', () => ({ useMessages: () => ({ status: 'Status' }) }))

const drawnAt = (path: string, content: ReactNode) =>
  renderToStaticMarkup(<MemoryRouter initialEntries={[path]}>{content}</MemoryRouter>)

test('errors lead to the status page, except on the status page', () => {
  expect(drawnAt('/scores', <StatusNote />)).toContain('href="/status"')
  expect(drawnAt('/status', <StatusNote />)).toBe('')
})

test('the footer leads there from every page', () => {
  expect(drawnAt('/status', <StatusLink />)).toContain('href="/status"')
})
