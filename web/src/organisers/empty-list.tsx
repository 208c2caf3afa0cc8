import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '../ui/buttons/button.tsx'
import { EmptyState } from '../ui/states/messages.tsx'
import { useUiMessages } from '../ui/ui-messages.ts'

interface EmptyListProps {
  /** Nothing matches the filters, which are in the address. */
  readonly children: string
  /** Where to go from here if there is no filter. */
  readonly action: ReactNode
}

/** An empty list: offers to clear its filters, or to go on if it has none. */
export function EmptyList({ children, action }: EmptyListProps) {
  const { pathname, search } = useLocation()
  const messages = useUiMessages()
  if (search === '') return <EmptyState action={action}>{messages.empty}</EmptyState>
  return <EmptyState action={<Link to={pathname}>{messages.clearFilters}</Link>}>{children}</EmptyState>
}

/** Leads to the form of the page. */
export function ToForm({ children }: { readonly children: string }) {
  return <Button onClick={focusForm}>{children}</Button>
}

function focusForm(): void {
  document.querySelector<HTMLElement>('main form :is(input, textarea)')?.focus()
}
