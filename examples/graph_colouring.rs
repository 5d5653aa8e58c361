//! Graph colouring: as few colours as possible for the vertices of a graph, such that no edge joins two
//! vertices of the same colour.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::Parser;
use common::{note, say, text::Text};
use csp_core::prelude::*;

/// Colours the vertices of a graph with as few colours as possible, such that none has the colour of a
/// neighbour.
///
/// The file is in DIMACS format: lines `c` are comments, `p edge N M` says that there are N vertices and M
/// edges, `e U V` is an edge of vertices 1 to N. Lines `n`, `d`, `v` and `x` do not matter here. An edge may
/// be listed twice, and counted once or twice.
///
/// The answer is in DIMACS format too: `s col K` says that there are K colours, `l V C` that vertex V has
/// colour C, from 1 to K. The rest goes to the standard error.
///
/// Exit codes: 0 a colouring was found, 1 there is none, 2 bad input, 3 stopped before one was found.
#[derive(Parser)]
#[command(name = "graph_colouring")]
struct Arguments {
    /// The graph, or - for the standard input
    file: String,
    /// Find any colouring with at most so many colours
    #[arg(long, value_name = "K")]
    colours: Option<usize>,
    #[command(flatten)]
    common: common::Common,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let neighbours = read(&arguments.file);
    let n = neighbours.len();
    // A vertex that finds all colours on its neighbours needs one more, so these are always enough.
    let enough = neighbours.iter().map(|others| others.len() + 1).max().unwrap_or(0);
    let most = arguments.colours.map_or(enough, |k| k.min(enough)) as i64;
    // The vertices of a clique have colours of their own. Which ones does not matter.
    let clique = clique(&neighbours);
    note(format!("{n} vertices, at least {} and at most {enough} colours", clique.len()));
    if arguments.colours.is_some() {
        note(format!("at most {most} colours are asked for"));
    }

    let mut model = Model::new();
    let colours = model.ints(n, 0..most);
    let count = model.int(clique.len() as i64..=most);
    for (u, others) in neighbours.iter().enumerate() {
        for &v in others.range(u + 1..) {
            model.post(rule!(colours[u] != colours[v]));
        }
        model.post(rule!(colours[u] < count));
    }
    for (colour, &v) in (0..).zip(&clique) {
        model.post(rule!(colours[v] = colour));
    }

    let mut solver = arguments.common.solver(&model);
    // Brélaz's order: a vertex with fewest colours left, of these one with most neighbours.
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&v| std::cmp::Reverse(neighbours[v].len()));
    solver.set_search(branch(order.iter().map(|&v| colours[v])).smallest_domain());
    let best = solver.minimise_with(count, |_, count| {
        note(format!("{count} colours"));
        if arguments.colours.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let best = best.unwrap_or_else(|mistake| common::fail(&mistake.to_string()));
    if let Some(colouring) = best.solution() {
        say(format!("s col {}", colouring[count]));
        for (v, colour) in (1..).zip(colouring.values(&colours)) {
            say(format!("l {v} {}", colour + 1));
        }
        if best.is_proved() {
            note(format!("{} colours, the fewest possible", colouring[count]));
        } else {
            note(format!("{} colours, of at least {}", colouring[count], best.bound().unwrap_or(0)));
        }
    }
    arguments.common.end(&solver, best.solution().is_some())
}

/// A large clique: from each vertex on, the neighbour with most neighbours that goes with all so far.
fn clique(neighbours: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut best = Vec::new();
    for v in 0..neighbours.len() {
        let mut clique = vec![v];
        let mut candidates: Vec<usize> = neighbours[v].iter().copied().collect();
        while let Some(&u) = candidates.iter().max_by_key(|&&u| neighbours[u].len()) {
            clique.push(u);
            candidates.retain(|w| neighbours[u].contains(w));
        }
        if clique.len() > best.len() {
            best = clique;
        }
    }
    best
}

/// The neighbours of each vertex, counted from 0.
fn read(file: &str) -> Vec<BTreeSet<usize>> {
    const MOST_VERTICES: i64 = 20_000;
    let text = Text::read(file);
    let mut graph: Option<Vec<BTreeSet<usize>>> = None;
    let (mut declared, mut lines) = (0, 0);
    for line in text.lines() {
        match (line.words[0], &mut graph) {
            ("c" | "n" | "d" | "v" | "x", _) => {}
            ("p", None) => {
                if !matches!(line.words.get(1), Some(&("edge" | "edges" | "col"))) {
                    line.fail("expected 'p edge' or 'p col', the number of vertices and that of edges");
                }
                let n = line.number(2, "the number of vertices");
                if n > MOST_VERTICES {
                    line.fail(&format!("more than {MOST_VERTICES} vertices"));
                }
                declared = line.number(3, "the number of edges");
                graph = Some(vec![BTreeSet::new(); n as usize]);
            }
            ("p", Some(_)) => line.fail("a second line 'p'"),
            ("e", Some(graph)) => {
                let n = graph.len();
                let [u, v] = [1, 2].map(|word| match line.number(word, "a vertex of the edge") {
                    vertex if vertex >= 1 && vertex <= n as i64 => vertex as usize - 1,
                    vertex => line.fail(&format!("there is no vertex {vertex}, only 1 to {n}")),
                });
                if u == v {
                    line.fail("an edge from a vertex to itself, which no colour suits");
                }
                graph[u].insert(v);
                graph[v].insert(u);
                lines += 1;
            }
            ("e", None) => line.fail("an edge before the line 'p edge'"),
            _ => line.fail("expected a line 'c', 'p' or 'e'"),
        }
    }
    let Some(graph) = graph else { text.fail("no graph: there is no line 'p edge'") };
    // Of the well-known graphs, some have each edge in both directions, and some count it twice.
    let both = graph.iter().map(|others| others.len() as i64).sum::<i64>();
    if ![lines, both, both / 2].contains(&declared) {
        text.fail(&format!("{declared} edges are announced, but there are {} in {lines} lines", both / 2));
    }
    graph
}
