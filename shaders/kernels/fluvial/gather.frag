// What:   what gather.vert brings, to be added.

flat in vec2 v_flow;

out vec2 out_flow;

void main() {
    out_flow = v_flow;
}
