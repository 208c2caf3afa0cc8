import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Skeleton } from '../../../ui/states/skeleton.tsx'

/** Early enough that content is there before it scrolls into view or the focus reaches it. */
const MARGIN = '600px'

/** Renders expensive content once it comes near the viewport, and keeps it from then on. */
export function WhenNear({ children }: { readonly children: ReactNode }) {
  const [isNear, setNear] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNear || !place.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: MARGIN },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  if (isNear) return children
  return (
    <div ref={place}>
      <Skeleton height="6rem" />
    </div>
  )
}
