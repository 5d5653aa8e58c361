// The texts on the page that stand out too little from what is behind them: less than 4.5 to 1, as the
// Web Content Accessibility Guidelines count it (WCAG 2.2, 1.4.3).
(() => {
  const colour = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number), [r, g, b, alpha = 1] = numbers;
    return text.startsWith("color(srgb") ? [r * 255, g * 255, b * 255, alpha] : [r, g, b, alpha];
  };
  const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
  const luminance = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const back = element.parentElement ? behind(element.parentElement) : [255, 255, 255, 1];
    return over(colour(getComputedStyle(element).backgroundColor), back);
  };
  const found = [];
  for (const element of document.querySelectorAll("body *:not(script, style, noscript)")) {
    const words = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("").trim();
    const style = getComputedStyle(element);
    if (!words || !element.checkVisibility({ visibilityProperty: true }) || parseFloat(style.fontSize) === 0) continue;
    let alpha = 1;
    for (let each = element; each; each = each.parentElement) alpha *= Number(getComputedStyle(each).opacity);
    const back = behind(element), ink = colour(style.color);
    const [high, low] = [luminance(over([...ink.slice(0, 3), ink[3] * alpha], back)), luminance(back)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) found.push(`${words.slice(0, 20)} (${element.className || element.tagName}): ${ratio.toFixed(2)}`);
  }
  return [...new Set(found)];
})()
