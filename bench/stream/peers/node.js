// Watches pieces with JavaScript's RegExp: over the current line (node-line), or over
// everything since the begin (node-buffer). Prints the nanoseconds of a piece.
const job = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const all = job.patterns.map(([pattern, flags]) => new RegExp(pattern, flags));
const whole = job.mode === 'node-buffer';
let text = '', found = new Uint8Array(all.length);
const reset = () => { text = ''; found.fill(0); };
const check = () => { for (let i = 0; i < all.length; i++) if (!found[i] && all[i].test(text)) found[i] = 1; };
function feed(piece) {
	if (whole) { text += piece; check(); return; }
	const parts = piece.split('\n');
	for (let i = 0; i < parts.length; i++) {
		if (i > 0) text = '';
		text += parts[i];
		check();
	}
}
let missed = 0;
for (const [trigger, ...pieces] of job.control) {
	reset();
	for (const p of pieces) feed(p);
	if (!found[trigger]) missed++;
}
const budget = BigInt(Math.round(job.seconds * 1e9));
let count = 0, spent = 0n;
if (whole) {
	// Pieces from all over the buffer: a full run would take hours.
	const offsets = [0];
	for (const p of job.pieces) offsets.push(offsets[offsets.length - 1] + p.length);
	const everything = job.pieces.join('');
	for (let round = 0; spent < budget; round++) {
		const at = (round * 7919) % job.pieces.length;
		found.fill(0);
		text = everything.slice(0, offsets[at]);
		check(); // what has fired before is not looked at again
		const start = process.hrtime.bigint();
		feed(job.pieces[at]);
		spent += process.hrtime.bigint() - start;
		count++;
		if (round > 400) break;
	}
} else {
	reset();
	for (let i = 0; i < Math.min(job.pieces.length, 2000); i++) feed(job.pieces[i]); // warm
	for (let at = 0; spent < budget;) {
		const start = process.hrtime.bigint();
		for (let i = 0; i < 100; i++, at++) {
			if (at === job.pieces.length) { at = 0; reset(); }
			feed(job.pieces[at]);
		}
		spent += process.hrtime.bigint() - start;
		count += 100;
	}
}
process.stdout.write(JSON.stringify({ns: Number(spent) / count, missed}));
