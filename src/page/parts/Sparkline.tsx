/** A small plot of numbers over blocks as SVG. Drawn by hand: a plot library would be half of the page (docs/page.md). */
export function Sparkline({ values, name }: { readonly values: readonly number[]; readonly name: string }) {
  const [width, height] = [160, 36]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const x = (i: number): number => (values.length < 2 ? width : (i / (values.length - 1)) * width)
  const y = (value: number): number => (high === low ? height / 2 : height - 2 - ((value - low) / (high - low)) * (height - 4))
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`)
  const label = values.length === 0 ? `${name}: nothing yet` : `${name}: from ${low} to ${high}`
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <title>{label}</title>
      {points.length > 1 && <polygon points={`0,${height} ${points.join(" ")} ${width},${height}`} />}
      {points.length > 0 && <polyline points={points.length === 1 ? `0,${height / 2} ${points[0]}` : points.join(" ")} />}
    </svg>
  )
}
