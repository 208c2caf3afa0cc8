import { lazy, Suspense, useState } from 'react'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Panel } from '../../ui/states/panel.tsx'

const Composer = lazy(async () => ({
  default: (await import('../../layout/big-screen/composer.tsx')).Composer,
}))

/** What organisers show to an audience. */
export function Screens() {
  const text = useMessages(dashboardMessages)
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title={text.screens}>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {text.bigScreen}
      </Button>
      <Suspense>{isOpen && <Composer onClose={() => setOpen(false)} />}</Suspense>
    </Panel>
  )
}
