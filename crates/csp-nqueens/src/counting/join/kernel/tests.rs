//! Every kernel against the meaning of its loops.

use super::*;

/// Words that look random, always the same.
fn words(count: usize) -> Vec<u64> {
    let mut random = fastrand::Rng::with_seed(count as u64);
    (0..count).map(|_| random.u64(..) & random.u64(..)).collect()
}

fn check_extend<K: Kernel>(kernel: K) {
    for count in (0..40).chain([100, 1000]) {
        let states = words(count);
        for square in [0, 1, 1 << 63 | 1 << 31, 0x8000_0001_0000] {
            let disjoint = states.iter().filter(|&&state| state & square == 0);
            let expected: Vec<u64> = disjoint.map(|state| state | square).collect();
            let mut out = vec![0; count + K::SLACK];
            let len = kernel.extend(&states, square, &mut out);
            assert_eq!(out[..len], expected, "{kernel:?}");
            let mut out = vec![0; count + K::SLACK];
            let len = kernel.finish(&states, square, &mut out);
            let lower: Vec<u32> = expected.iter().map(|&state| state as u32).collect();
            assert_eq!(out[..len], lower, "{kernel:?}");
        }
    }
}

fn check_block<K: Kernel, F: Footprint, const WIDTH: usize, const CHUNKS: usize>(kernel: K) {
    let mask = (1 << (CHUNKS * CHUNK).min(8 * size_of::<F>())) - 1;
    let footprints =
        |count| -> Vec<F> { words(count).iter().map(|bits| F::from_bits(bits & mask)).collect() };
    let (block, queries) = (footprints(WIDTH * LANE), footprints(77));
    let (lanes, _) = block.as_chunks::<LANE>();
    let lanes: Vec<_> = lanes.iter().collect();
    // All lanes, one lane less, and a lane that is not full.
    for (count, partial) in [(WIDTH, u64::MAX), (WIDTH - 1, u64::MAX), (WIDTH, 0x1ff)] {
        let mut valid = [u64::MAX; WIDTH];
        valid[count..].fill(0);
        valid[0] &= if count > 0 { partial } else { 0 };
        let mut tables = Tables::default();
        // What an earlier block left behind does not matter.
        kernel.tabulate::<F, WIDTH, CHUNKS>(&lanes, [u64::MAX; WIDTH], &mut tables);
        kernel.tabulate::<F, WIDTH, CHUNKS>(&lanes[..count], valid, &mut tables);
        let sums = kernel.count::<F, WIDTH, CHUNKS>(&tables, &queries);
        for (slot, lane) in lanes.iter().enumerate() {
            let real = lane.iter().enumerate().filter(|&(at, _)| valid[slot] >> at & 1 == 1);
            let pairs = real.flat_map(|(_, one)| queries.iter().map(move |other| (*one, *other)));
            let disjoint = pairs.filter(|&(one, other)| one.into() & other.into() == 0);
            assert_eq!(sums[slot], disjoint.count() as u64, "{kernel:?} {WIDTH} {CHUNKS} {slot}");
        }
    }
}

fn check<K: Kernel>(kernel: K) {
    check_extend(kernel);
    check_block::<K, u32, 1, 4>(kernel);
    check_block::<K, u32, 2, 5>(kernel);
    check_block::<K, u32, 4, 5>(kernel);
    check_block::<K, u32, 4, 6>(kernel);
    check_block::<K, u32, 8, 4>(kernel);
    check_block::<K, u32, 8, 6>(kernel);
    check_block::<K, u32, 8, 7>(kernel);
    check_block::<K, u64, 1, 7>(kernel);
    check_block::<K, u64, 8, 7>(kernel);
}

#[test]
fn portable() {
    check(Portable);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn avx2() {
    Avx2::detect().into_iter().for_each(check);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn avx512() {
    Avx512::detect().into_iter().for_each(check);
}
